// Lets Touchstone ask Jackson and Gson by the line protocol, used as if they
// were RFC 8785. The argument says which.
import com.fasterxml.jackson.databind.*;
import com.google.gson.*;
import java.io.*;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.*;

public class Adapter {
    interface Canonicalizer { String apply(byte[] text) throws Exception; }

    /** Jackson, strict about what its users can make it strict about. */
    static Canonicalizer jackson() {
        ObjectMapper mapper = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(com.fasterxml.jackson.core.JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
        return text -> {
            Object value = mapper.readValue(text, Object.class);
            return mapper.writeValueAsString(value);
        };
    }

    /** Gson: its trees keep the document's order, so they are sorted. */
    static Canonicalizer gson() {
        Gson gson = new GsonBuilder().disableHtmlEscaping().serializeNulls().create();
        TypeAdapter<JsonElement> strict = gson.getAdapter(JsonElement.class);
        return text -> {
            String document = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
            return gson.toJson(sorted(strict.fromJson(document)));
        };
    }

    static JsonElement sorted(JsonElement value) {
        if (value.isJsonArray()) {
            JsonArray out = new JsonArray();
            for (JsonElement element : value.getAsJsonArray()) out.add(sorted(element));
            return out;
        }
        if (!value.isJsonObject()) return value;
        JsonObject out = new JsonObject();
        for (String name : new TreeSet<>(value.getAsJsonObject().keySet())) out.add(name, sorted(value.getAsJsonObject().get(name)));
        return out;
    }

    static String hex(byte[] bytes) {
        return bytes.length == 0 ? "-" : HexFormat.of().formatHex(bytes);
    }

    static String answer(Canonicalizer used, String op, String payload) {
        if (!op.equals("canon")) return "skip";
        try {
            String out = used.apply(HexFormat.of().parseHex(payload.equals("-") ? "" : payload));
            return "ok " + hex(StandardCharsets.UTF_8.newEncoder().encode(java.nio.CharBuffer.wrap(out)));
        } catch (Exception | StackOverflowError refusal) {
            return "reject - " + hex(String.valueOf(refusal).getBytes(StandardCharsets.UTF_8));
        }
    }

    static String hex(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return hex(bytes);
    }

    public static void main(String[] args) throws IOException {
        Canonicalizer used = args[0].equals("jackson") ? jackson() : gson();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.US_ASCII);
        for (String line = in.readLine(); line != null && !line.equals("bye"); line = in.readLine()) {
            String[] word = line.split(" ");
            if (word[0].equals("hello") && !word[2].equals("profile=rfc8785")) break;
            out.print((word[0].equals("hello") ? "hello 1 name=" + args[0] + " window=64" : word[0] + " " + answer(used, word[1], word[2])) + "\n");
            out.flush();
        }
    }
}
