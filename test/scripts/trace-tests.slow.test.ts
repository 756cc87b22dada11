import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { readTrace } from "../../scripts/trace-tests/read-trace.ts"
import { runTraced, tracingProblem } from "../../scripts/trace-tests/run-traced.ts"
import { writableFolders } from "../../scripts/trace-tests/writable-folders.ts"

const root = path.resolve(import.meta.dirname, "../..")
const problem = tracingProblem()
if (problem !== undefined) {
  if (process.env.CI && !process.env.CADRE_NO_STRACE && process.getuid?.() === 0)
    throw new Error(`What the tests write must be traced on CI, but ${problem}.`)
  console.warn(`SKIPPED: what the tests write is not traced, because ${problem}.`)
}

describe("what counts as written outside", () => {
  const bwrap = (...words: readonly string[]) =>
    `execve("/usr/bin/bwrap", ["/usr/bin/bwrap", ${words.map((word) => `"${word}"`).join(", ")}], 0x1 /* 2 vars */) = 0`
  const readOnly = "= -1 EROFS (Read-only file system)"
  test.each<[string, readonly string[], readonly string[]]>([
    [
      "a call that meets what is read-only",
      [`7 mkdir("/b", 0777) ${readOnly}`],
      [`mkdir("/b", 0777) ${readOnly}`],
    ],
    [
      "one in two parts, between those of others",
      [
        `7 mkdir("/tmp/a/b", 0777 <unfinished ...>`,
        `8 unlink("/x") = 0`,
        `7 <... mkdir resumed>) ${readOnly}`,
      ],
      [`mkdir("/tmp/a/b", 0777) ${readOnly}`],
    ],
    [
      "what is written where one may, or fails for another reason",
      [`7 mkdir("/tmp/x", 0777) = 0`, `7 mkdir("/", 0777) = -1 EEXIST (File exists)`],
      [],
    ],
    [
      "nothing of a sandbox, nor of what runs in it, also where that is seen before the call that made it ends",
      [
        bwrap("--ro-bind", "/", "/", "--bind", "/tmp/ours/work", "/work"),
        `7 clone(child_stack=NULL <unfinished ...>`,
        `8 creat("/usr/made", 0666) ${readOnly}`,
        "7 <... clone resumed>) = 2 /* 8 in strace's PID NS */",
        `8 mkdir("/y", 0777) ${readOnly}`,
      ].map((line, index) => (index === 0 ? `7 ${line}` : line)),
      [],
    ],
    [
      "a process that has the number of one that was in a sandbox",
      [
        `7 ${bwrap("--ro-bind", "/", "/")}`,
        "7 clone(flags=SIGCHLD) = 8",
        "6 clone(flags=SIGCHLD) = 8",
        `8 mkdir("/y", 0777) ${readOnly}`,
      ],
      [`mkdir("/y", 0777) ${readOnly}`],
    ],
    [
      "a sandbox that lets others' folders be written",
      [`7 ${bwrap("--bind", "/home/me", "/home/me", "--dev-bind-try", "/tmp/ours", "/x")}`],
      ["bwrap --bind /home/me"],
    ],
    [
      "settings of the kernel, but for what a process says of itself and for control groups of ours",
      [
        'openat(AT_FDCWD</>, "/proc/sys/kernel/core_pattern", O_WRONLY|O_TRUNC) = 3',
        'openat(AT_FDCWD</>, "/proc/self/uid_map", O_RDWR) = 3',
        'openat(AT_FDCWD</>, "/proc/sys/kernel/pid_max", O_RDONLY) = 3',
        'mkdir("/sys/fs/cgroup/pids/cadre-7-01234567-0123-0123-0123-0123456789ab", 0777) = 0',
        'mkdir("/sys/fs/cgroup/pids/other", 0777) = 0',
      ].map((call) => `7 ${call}`),
      [
        'openat(AT_FDCWD</>, "/proc/sys/kernel/core_pattern", O_WRONLY|O_TRUNC) = 3',
        'mkdir("/sys/fs/cgroup/pids/other", 0777) = 0',
      ],
    ],
  ])("%s", async (_, lines, expected) => {
    const { outside } = await readTrace(lines, (place) => place.startsWith("/tmp/ours"))
    expect(outside.map(({ call }) => call)).toEqual(expected)
  })
})

describe.skipIf(problem !== undefined)("under the tracer", () => {
  const traced = (words: readonly string[], patience?: number) =>
    runTraced(words, {
      cwd: root,
      folder: fs.mkdtempSync(path.join(os.tmpdir(), "t-")),
      writable: writableFolders(root),
      way: "trace",
      shown: "kept",
      ...(patience !== undefined && { patience }),
    })

  test("what goes through a link to the root of the file system is found, and does not happen", async () => {
    const line = 'cd "$TMPDIR" && ln -s / up && mkdir up/cadre-never; mkdir own; sleep 300 & exit 3'
    const { code, outside, running, left } = await traced(["sh", "-c", line], 500)
    expect({ code, outside, running, left }).toEqual({
      code: 3,
      outside: [{ call: expect.stringMatching(/^mkdir\("up\/cadre-never", .* = -1 EROFS /), times: 1 }],
      running: ["sleep 300"],
      left: ["own", "up"],
    })
    expect(fs.existsSync("/cadre-never")).toBe(false)
  })

  test("the tests that write most write in their own folders, leave nothing, and leave nobody running", async () => {
    const files = [
      "src/ground/paths/contain.test.ts",
      "src/ground/paths/walk.test.ts",
      "src/world/tools/write.test.ts",
      "test/command-line/cli.slow.test.ts",
    ]
    const vitest = path.join(root, "node_modules/vitest/vitest.mjs")
    const { code, output, outside, running, left } = await traced([process.execPath, vitest, "run", ...files])
    expect({ code, outside, running, left }, output).toEqual({ code: 0, outside: [], running: [], left: [] })
  })
})
