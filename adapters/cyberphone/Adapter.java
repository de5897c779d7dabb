// Lets Touchstone ask org.webpki.jcs.JsonCanonicalizer by the line protocol.
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.webpki.jcs.JsonCanonicalizer;

public class Adapter {
    static String hex(byte[] bytes) {
        return bytes.length == 0 ? "-" : HexFormat.of().formatHex(bytes);
    }

    static String answer(String op, String payload) {
        if (!op.equals("canon")) return "skip";
        try {
            byte[] text = HexFormat.of().parseHex(payload.equals("-") ? "" : payload);
            return "ok " + hex(new JsonCanonicalizer(text).getEncodedUTF8());
        } catch (Exception refusal) {
            return "reject - " + hex(String.valueOf(refusal).getBytes(StandardCharsets.UTF_8));
        }
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.US_ASCII);
        for (String line = in.readLine(); line != null && !line.equals("bye"); line = in.readLine()) {
            String[] word = line.split(" ");
            if (word[0].equals("hello") && !word[2].equals("profile=rfc8785")) break;
            out.print((word[0].equals("hello") ? "hello 1 name=cyberphone-java window=64" : word[0] + " " + answer(word[1], word[2])) + "\n");
            out.flush();
        }
    }
}
