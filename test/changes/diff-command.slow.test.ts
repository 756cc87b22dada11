import fs from "node:fs"
import path from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import type { CommandWorld } from "../run-command-kit.ts"
import { applyPatch, bash, changesWorld, copyOf, edit, gitFiles, read, treeOf, write } from "./changes-kit.ts"

let world: CommandWorld
afterEach(() => world.remove())

const files = {
  "a.txt": "one\ntwo\nthree\n",
  "crlf.txt": "x\r\ny\r\n",
  "no newline": "end",
  "sp ace.txt": "keep\n",
  "moved.txt": "a file\nthat moves\n",
  "run.sh": "echo\n",
  "folder/in it": "in a folder\n",
  "wide.txt": Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join(""),
}

describe("a patch", () => {
  test.each<[string, "git" | "no-git", readonly { tool: string; input: object }[], readonly unknown[]]>([
    [
      "of file tools",
      "no-git",
      [
        read("a.txt"),
        edit("a.txt", "two", "TWO\nhalf"),
        edit("a.txt", "half", "quarter"),
        read("crlf.txt"),
        edit("crlf.txt", "y", "z"),
        read("no newline"),
        edit("no newline", "end", "END"),
        read("wide.txt"),
        edit("wide.txt", "line 3\n", ""),
        edit("wide.txt", "line 38\n", "line 38\nand more\n"),
        write('new "dir"/ü\n.txt', "new"),
        write("empty.txt", ""),
      ],
      [
        "changed a.txt",
        "changed crlf.txt",
        "new empty.txt",
        'new new "dir"/ü\n.txt',
        "changed no newline",
        "changed wide.txt",
      ],
    ],
    [
      "of commands",
      "git",
      [
        bash(
          "printf 'x\\r\\nz\\r\\n' > crlf.txt; rm 'no newline'; echo more >> 'sp ace.txt'; chmod +x run.sh; ln -s a.txt link; mv moved.txt other.txt; : > empty; mv folder 'new\\folder'",
        ),
        bash("sed -i 's/one/ONE/' a.txt"),
        bash("rm a.txt && ln -s run.sh a.txt"),
      ],
      [
        "changed a.txt",
        "changed crlf.txt",
        "new empty",
        "new link",
        "renamed new\\folder/in it",
        "deleted no newline",
        "renamed other.txt",
        "changed run.sh",
        "changed sp ace.txt",
      ],
    ],
    [
      "of both",
      "git",
      [
        read("a.txt"),
        edit("a.txt", "two", "2"),
        bash("echo four >> a.txt"),
        write("gone.txt", "x"),
        bash("rm gone.txt"),
      ],
      ["changed a.txt"],
    ],
  ])("%s is taken by git apply, and undone and made again", async (_, place, calls, expected) => {
    world = changesWorld(place, files)
    const before = treeOf(world.work)
    const copy = copyOf(world, "copy")
    world.calling(...calls)
    const { code, result } = await world.runWorker()
    expect([code, result.failedCalls]).toEqual([0, []])
    const after = treeOf(world.work)
    const { result: diff } = await world.json("diff", "last")
    expect(
      diff.files.map(
        (file: { path: string; change: string }) => `${file.change} ${path.relative(world.work, file.path)}`,
      ),
    ).toEqual(expected)
    expect(result.changes).toEqual(
      diff.files.map(({ path, change, from, added, removed }: Record<string, unknown>) => ({
        path,
        change,
        ...(from !== undefined && { from }),
        added,
        removed,
      })),
    )
    const { stdout, stderr } = await world.cadre("diff", "last")
    expect(stderr).toBe("")
    applyPatch(copy, stdout)
    expect(treeOf(copy)).toEqual(after)

    expect((await world.cadre("undo", "last", "--yes")).code).toBe(0)
    expect(treeOf(world.work)).toEqual(before)
    expect((await world.cadre("diff", "last")).stderr).toMatch(/undone/)
    expect((await world.cadre("log", "last")).stdout).toMatch(/undone/)
    expect((await world.json("undo", "last", "--yes")).result.files).toEqual([])
    expect((await world.cadre("undo", "last", "--redo", "--yes")).code).toBe(0)
    expect(treeOf(world.work)).toEqual(after)
    expect((await world.json("runs")).result.runs).toMatchObject([{ id: result.id, status: "ended" }])
  })
})

test("the patch of a tree has the changes of subagents, and an agent's are shown alone", async () => {
  world = changesWorld("no-git", files)
  world.agent("lead")
  world.agent("helper")
  world.script({
    lead: [
      { calls: [read("a.txt")] },
      { calls: [edit("a.txt", "one", "1")] },
      { calls: [{ tool: "Agent", input: { subagent_type: "helper", prompt: "go" } }] },
      { text: "Done." },
    ],
    helper: [
      { calls: [read("a.txt")] },
      { calls: [edit("a.txt", "two", "2")] },
      { calls: [write("b.txt", "b\n")] },
      { text: "Done." },
    ],
  })
  const { result } = await world.json("run", "lead", "Go.", ...world.model)
  const stat = async (...words: readonly string[]) =>
    (await world.cadre("diff", ...words, "--stat")).stdout
      .split("\n")
      .map((line) => line.replaceAll(/ +/g, " "))
  expect(await stat("last")).toEqual(["a.txt +2 -2", "b.txt +1 -0", "2 files, +3 -2 lines", ""])
  expect(await stat("last", "--agent", "lead")).toEqual(["a.txt +1 -1", "1 file, +1 -1 lines", ""])
  expect(await stat(`${result.id}.1`)).toEqual(["a.txt +1 -1", "b.txt +1 -0", "2 files, +2 -1 lines", ""])
  expect((await world.cadre("undo", "last", "--agent", "lead", "--yes")).code).toBe(1)
  expect((await world.cadre("undo", "last", "--agent", "helper", "--yes")).code).toBe(0)
  expect((await world.cadre("undo", "last", "--agent", "lead", "--yes")).code).toBe(0)
  expect(treeOf(world.work)).toEqual(files)
})

test("without git, files that commands changed are listed, and new ones are known", async () => {
  world = changesWorld("no-git", files)
  world.calling(bash("echo more >> a.txt; echo new > new.txt; rm run.sh"), bash("ls"))
  await world.runWorker()
  const { result } = await world.json("diff", "last")
  expect(
    result.files.map(({ path: file, change, problem }: Record<string, string>) => [
      path.basename(file!),
      change,
      problem,
    ]),
  ).toEqual([
    ["a.txt", "changed", "unknown"],
    ["new.txt", "new", undefined],
    ["run.sh", "deleted", "unknown"],
  ])
  expect(result.unseen).toMatchObject([{ call: "c1", detail: "names" }])
  const before = treeOf(world.work)
  const { code, result: undone } = await world.json("undo", "last", "--yes")
  expect([code, undone.obstacles.map((one: { path: string }) => path.basename(one.path))]).toEqual([
    1,
    ["a.txt", "run.sh"],
  ])
  expect(treeOf(world.work)).toEqual(before)
  await world.cadre("undo", "last", "--yes", "--partial")
  expect(fs.existsSync(path.join(world.work, "new.txt"))).toBe(false)
})

test("secrets, binary files and large files are told, and not part of the patch", async () => {
  world = changesWorld("git", { "plain.txt": "a\n", "key.txt": "a\nb\n" })
  world.environment.SECRET_TOKEN = "a-very-secret-value"
  world.put(
    "config/config.yaml",
    "mode: bypass\nexecutors: { other: { command: [other], environment: [SECRET_TOKEN] } }\n",
  )
  world.calling(
    bash(
      "printf '\\000\\001' > binary; printf '\\377\\376x' > latin; head -c 2000000 /dev/zero | tr '\\0' a > large",
    ),
    // A secret in the arguments themselves is removed before the command runs.
    bash("printf 'key = a-very-' > key.txt; echo secret-value >> key.txt"),
    bash("echo b > plain.txt"),
  )
  await world.runWorker()
  const { result } = await world.json("diff", "last")
  expect(
    result.files.map(({ path: file, problem, patch }: Record<string, string>) => [
      path.basename(file!),
      problem,
      patch !== undefined,
    ]),
  ).toEqual([
    ["binary", "binary", false],
    ["key.txt", "secret", false],
    ["large", "size", false],
    ["latin", "binary", false],
    ["plain.txt", undefined, true],
  ])
  const { stdout, stderr } = await world.cadre("diff", "last")
  expect(stdout).toMatch(/^diff --git a\/plain.txt b\/plain.txt\n(?:.*\n)*\+b\n$/)
  expect(stderr.match(/^Not in the patch/gm)).toHaveLength(4)
  expect(JSON.stringify(result) + stdout).not.toContain("very-secret")
})

test.each(["keep_files: false", "snapshots: false"])("%s is followed", async (setting) => {
  world = changesWorld("git", files)
  world.put("config/config.yaml", `mode: bypass\n${setting}\n`)
  world.calling(write("new.txt", "new\n"), bash("echo more >> a.txt"))
  await world.runWorker()
  const { result } = await world.json("diff", "last")
  expect([result.files.length, result.unseen.map(({ call }: { call: string }) => call)]).toEqual([
    setting.startsWith("keep") ? 0 : 1,
    ["c2"],
  ])
})

test("nothing of the repository changes, and none of its programs runs", async () => {
  world = changesWorld("git", {
    ...files,
    ".gitattributes": "*.txt filter=evil diff=evil\n",
    ".gitignore": "ignored\n",
  })
  const mark = path.join(world.base, "ran")
  fs.appendFileSync(
    path.join(world.work, ".git/config"),
    `[core]\n\tfsmonitor = touch ${mark}\n\thooksPath = hooks\n[filter "evil"]\n\tclean = touch ${mark}; cat\n\tsmudge = touch ${mark}; cat\n[diff "evil"]\n\ttextconv = touch ${mark}; cat\n\tcommand = touch ${mark}\n`,
  )
  const before = gitFiles(world.work)
  world.calling(bash("echo more >> a.txt; echo x > ignored; echo new > new.md"))
  await world.runWorker()
  expect(gitFiles(world.work)).toEqual(before)
  expect(fs.existsSync(mark)).toBe(false)
  const { result } = await world.json("diff", "last")
  expect(result.files.map((file: { path: string }) => path.basename(file.path))).toEqual(["a.txt", "new.md"])
})
