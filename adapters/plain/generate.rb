# Lets Touchstone ask Ruby's JSON.generate by the line protocol, used as if it
# were RFC 8785.
require "json"

def sorted(value)
  case value
  when Hash then value.sort.to_h { |name, member| [name, sorted(member)] }
  when Array then value.map { |element| sorted(element) }
  else value
  end
end

def canonicalize(text)
  text = text.dup.force_encoding(Encoding::UTF_8)
  raise ArgumentError, "not UTF-8" unless text.valid_encoding?
  JSON.generate(sorted(JSON.parse(text)))
end

def answer(op, payload)
  return "skip" unless op == "canon"
  "ok " + canonicalize([payload.delete("-")].pack("H*")).unpack1("H*")
rescue StandardError, SystemStackError => refusal
  "reject - " + refusal.message[0, 200].unpack1("H*").sub(/\A\z/, "-")
end

$stdout.sync = true
$stdin.each_line do |line|
  id, op, payload = line.split
  break if id == "bye" || (id == "hello" && payload != "profile=rfc8785")
  print(id == "hello" ? "hello 1 name=JSON.generate version=#{RUBY_VERSION} window=64\n" : "#{id} #{answer(op, payload)}\n")
end
