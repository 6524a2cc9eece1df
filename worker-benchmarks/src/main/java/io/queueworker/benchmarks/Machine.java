package io.queueworker.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import software.amazon.awssdk.core.util.VersionInfo;

/** Where and with what figures were measured. Stateless. */
final class Machine {

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private Machine() {}

  /** One line of it. */
  static String line() {
    return String.join(
        ", ",
        processor(),
        SYSTEM.getAvailableProcessors() + " cores",
        SYSTEM.getTotalMemorySize() / (1 << 30) + " GiB",
        SYSTEM.getName() + " " + SYSTEM.getVersion(),
        System.getProperty("java.vm.name") + " " + Runtime.version(),
        "AWS SDK " + VersionInfo.SDK_VERSION,
        LocalDate.now(ZoneOffset.UTC).toString());
  }

  /** What others use of the machine, in words; figures want it to be still. */
  static String load() {
    double load = SYSTEM.getSystemLoadAverage();
    String words = String.format(Locale.ROOT, "load average %.2f", load);
    return load > 0.5 ? words + ": OTHERS USE THIS MACHINE, the figures are worth little" : words;
  }

  private static String processor() {
    try {
      List<String> lines = Files.readAllLines(Path.of("/proc/cpuinfo"));
      return lines.stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(SYSTEM.getArch());
    } catch (IOException notLinux) {
      return SYSTEM.getArch();
    }
  }
}
