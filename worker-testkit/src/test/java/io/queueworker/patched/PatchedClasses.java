package io.queueworker.patched;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * Loads the classes of {@code io.queueworker} again from where the tests have them, patched ones in front, and leaves all
 * others to the tests' own loader. Thread-safe.
 */
final class PatchedClasses extends ClassLoader {

  private static final String OURS = "io.queueworker.";

  private final Map<String, byte[]> patched;

  PatchedClasses(Map<String, byte[]> patched) {
    super("patched", PatchedClasses.class.getClassLoader());
    this.patched = patched;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] bytes = patched.containsKey(name) ? patched.get(name) : original(name);
    return defineClass(name, bytes, 0, bytes.length);
  }

  private byte[] original(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
