<?php
// Lets Touchstone ask PHP's json_encode by the line protocol, used as if it
// were RFC 8785: members sorted by ksort, as strings.

function sorted(mixed $value): mixed
{
    if (is_array($value)) {
        return array_map('sorted', $value);
    }
    if (!is_object($value)) {
        return $value;
    }
    $members = get_object_vars($value);
    ksort($members, SORT_STRING);
    return (object) array_map('sorted', $members);
}

function answer(string $op, string $payload): string
{
    if ($op !== 'canon') {
        return 'skip';
    }
    try {
        $value = json_decode(hex2bin(str_replace('-', '', $payload)), false, 512, JSON_THROW_ON_ERROR);
        $out = json_encode(sorted($value), JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
        return 'ok ' . (bin2hex($out) ?: '-');
    } catch (Throwable $refusal) {
        return 'reject - ' . (bin2hex(substr($refusal->getMessage(), 0, 200)) ?: '-');
    }
}

while (($line = fgets(STDIN)) !== false) {
    $words = explode(' ', rtrim($line, "\n"));
    if ($words[0] === 'bye' || ($words[0] === 'hello' && $words[2] !== 'profile=rfc8785')) {
        break;
    }
    echo $words[0] === 'hello' ? 'hello 1 name=json_encode version=' . PHP_VERSION . " window=64\n" : "$words[0] " . answer($words[1], $words[2]) . "\n";
}
