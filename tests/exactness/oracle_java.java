// A base64 text a line; a letter: javac's parser alone (`JavacTask.parse`, no analysis). Behind it stands the byte at which it sees its first error.
//
// Run as `java oracle_java.java`; needs a JDK, which holds the compiler.
import com.sun.source.util.JavacTask;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

public class oracle_java {
    private static class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String text) {
            super(URI.create("string:///A.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static String verdict(JavaCompiler compiler, JavaFileManager files, byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        try {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, files, found, List.of("-proc:none", "-Xlint:none"), null, List.of(new Source(text)));
            task.parse();
        } catch (Exception | Error failure) {
            return "0";  // the parser gave up
        }
        for (Diagnostic<? extends JavaFileObject> one : found.getDiagnostics()) {
            if (one.getKind() != Diagnostic.Kind.ERROR) continue;
            long at = one.getPosition();
            if (at < 0 || at > text.length()) return "0";
            return "0 " + text.substring(0, (int) at).getBytes(StandardCharsets.UTF_8).length;
        }
        return "1";
    }

    public static void main(String[] arguments) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavaFileManager files = compiler.getStandardFileManager(null, null, null);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII), 1 << 20);
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.print(verdict(compiler, files, Base64.getDecoder().decode(line.trim())) + "\n");
            out.flush();
        }
    }
}
