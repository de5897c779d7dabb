# Lets Touchstone ask Perl's JSON::PP by the line protocol, used as if it were
# RFC 8785: canonical sorts the names.
use strict;
use warnings;
use JSON::PP;

my $json = JSON::PP->new->utf8->canonical->allow_nonref->max_depth(100_000);

sub answer {
    my ($op, $payload) = @_;
    return 'skip' if $op ne 'canon';
    $payload =~ s/-//;
    my $out = eval { $json->encode($json->decode(pack 'H*', $payload)) };
    return 'reject - ' . (unpack('H*', substr $@, 0, 200) || '-') if !defined $out;
    return 'ok ' . (unpack('H*', $out) || '-');
}

$| = 1;
while (my $line = <STDIN>) {
    chomp $line;
    my ($id, $op, $payload) = split / /, $line;
    last if $id eq 'bye' || ($id eq 'hello' && $payload ne 'profile=rfc8785');
    print $id eq 'hello' ? "hello 1 name=JSON::PP version=$JSON::PP::VERSION window=64\n" : "$id " . answer($op, $payload) . "\n";
}
