package io.queueworker.patched;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles patched sources against the class path of the tests, from memory to memory. */
final class PatchCompiler {

  private PatchCompiler() {}

  /** The class files, by binary name, of these source texts by class name. */
  static Map<String, byte[]> compile(Map<String, String> sources) {
    if (sources.isEmpty()) {
      return Map.of();
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    Outputs outputs = new Outputs(compiler.getStandardFileManager(said, null, null));
    List<String> options =
        List.of("-proc:none", "-nowarn", "-implicit:none", "-classpath", classPath());
    List<Source> files = sources.entrySet().stream().map(e -> new Source(e.getKey(), e.getValue())).toList();
    if (!compiler.getTask(null, outputs, said, options, null, files).call()) {
      throw new IllegalArgumentException("the patched source does not compile: " + said.getDiagnostics());
    }
    return outputs.classes.entrySet()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().toByteArray()));
  }

  /** Where the tests have their classes from, also when what runs them has a loader of its own for them. */
  static String classPath() {
    Stream<String> all = Stream.of(System.getProperty("java.class.path"));
    if (PatchCompiler.class.getClassLoader() instanceof URLClassLoader urls) {
      all = Stream.concat(Stream.of(urls.getURLs()).map(url -> Path.of(URI.create(url.toString())).toString()), all);
    }
    return all.collect(Collectors.joining(File.pathSeparator));
  }

  /** A source text that stands for a file. */
  private static final class Source extends SimpleJavaFileObject {

    private final String text;

    Source(String className, String text) {
      super(URI.create("patched:///" + className.replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Where the compiler puts class files. */
  private static final class Outputs extends ForwardingJavaFileManager<JavaFileManager> {

    private final Map<String, ByteArrayOutputStream> classes = new HashMap<>();

    Outputs(JavaFileManager others) {
      super(others);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("patched:///" + className.replace('.', '/') + kind.extension), kind) {
        @Override
        public OutputStream openOutputStream() {
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          classes.put(className, out);
          return out;
        }
      };
    }
  }
}
