import { execFileSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { put, temporaryFolder, testRun, without } from "../../../test/file-kit.ts"
import { createFileTools } from "./files.ts"

function repository(files: Readonly<Record<string, string>> = { "a.txt": "a\n", "sub/b.txt": "b\n" }) {
  const root = temporaryFolder(files)
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=u", "-c", "user.email=e@example.com", ...words], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" },
    })
  git("init", "-q", "-b", "main")
  git("add", ".")
  git("commit", "-q", "-m", "first")
  const run = testRun(createFileTools({ root }), root)
  return {
    root,
    git,
    run,
    diff: (input: Readonly<Record<string, unknown>> = {}) => run.call("GitDiff", input),
  }
}

const changedLines = (text: string) => text.split("\n").filter((line) => /^[+-][^+-]/.test(line))

test("what is not staged, what is, and since a commit; in all or below a path", async () => {
  const { root, git, diff } = repository()
  expect((await diff()).text).toBe("There are no changes.")
  put(root, { "a.txt": "A\n", "sub/b.txt": "B\n" })
  git("add", "sub")
  expect(changedLines((await diff()).text)).toEqual(["-a", "+A"])
  expect(changedLines((await diff({ staged: true })).text)).toEqual(["-b", "+B"])
  expect(changedLines((await diff({ base: "HEAD" })).text)).toEqual(["-a", "+A", "-b", "+B"])
  expect(changedLines((await diff({ base: "main", path: "sub" })).text)).toEqual(["-b", "+B"])
  expect(changedLines((await diff({ base: "HEAD", path: "a.txt" })).text)).toEqual(["-a", "+A"])
})

test.each(["--output=stolen", "-O/etc/passwd", "--no-index", "HEAD:a.txt", ":/first", "a b", "nonsense", ""])(
  "162: %j is no revision",
  async (base) => {
    const { root, diff } = repository()
    put(root, { "a.txt": "A\n" })
    expect(await diff({ base })).toMatchObject({ isError: true })
    expect(fs.readdirSync(root).sort()).toEqual([".git", "a.txt", "sub"])
  },
)

test("162: names that look like options or patterns are names", async () => {
  const { root, diff } = repository({ "--output=x": "a\n", ":(top)": "a\n", "*": "a\n", other: "a\n" })
  for (const name of ["--output=x", ":(top)", "*", "other"]) put(root, { [name]: `changed ${name}\n` })
  for (const name of ["--output=x", ":(top)", "*"])
    expect(changedLines((await diff({ path: name })).text)).toEqual(["-a", `+changed ${name}`])
  expect(fs.existsSync(path.join(root, "x"))).toBe(false)
})

test("only what is in the workspace, where the repository is larger", async () => {
  const { root } = repository()
  put(root, { "a.txt": "A\n", "sub/b.txt": "B\n" })
  const sub = path.join(root, "sub")
  const { text } = await testRun(createFileTools({ root: sub }), sub).call("GitDiff", { base: "HEAD" })
  expect(changedLines(text)).toEqual(["-b", "+B"])
})

test("170: what was moved out of what the rules refuse is not shown as it was", async () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join("")
  const { root, git, run } = repository({ "secret.txt": `the secret\n${lines}` })
  git("mv", "secret.txt", "open.txt")
  put(root, { "open.txt": lines })
  git("add", ".")
  const { text } = await run.call("GitDiff", { staged: true }, without("secret.txt"))
  expect(text).toContain("+line 1")
  expect(text).not.toContain("secret")
})

test("170: what the rules refuse is not shown", async () => {
  const { root, run } = repository()
  put(root, { "a.txt": "A\n", "sub/b.txt": "B\n" })
  expect(changedLines((await run.call("GitDiff", {}, without("a.txt"))).text)).toEqual(["-b", "+B"])
})

test("a large diff is cut", async () => {
  const { root, diff } = repository()
  put(root, { "a.txt": "line\n".repeat(100_000) })
  const { text } = await diff()
  expect(text.length).toBeLessThan(101_000)
  expect(text).toMatch(/diff/)
})

test("outside a repository no files are compared, whatever they are given as", async () => {
  const root = temporaryFolder({ "a.txt": "a" })
  expect(
    await testRun(createFileTools({ root }), root).call("GitDiff", { base: "x/../../etc/passwd" }),
  ).toEqual({
    text: expect.stringMatching(/no readable git repository.*: .*not a git repository/is),
    isError: true,
  })
})

describe("215: nothing that a repository names is run", () => {
  const proof = path.join(temporaryFolder(), "ran")
  const command = `touch ${proof}; cat`
  test.each<[title: string, prepare: (world: ReturnType<typeof repository>) => void]>([
    ["core.fsmonitor", ({ git }) => git("config", "core.fsmonitor", command)],
    ["core.pager", ({ git }) => git("config", "core.pager", command)],
    ["diff.external", ({ git }) => git("config", "diff.external", command)],
    [
      "a diff driver",
      ({ git, root }) => {
        git("config", "diff.evil.command", command)
        git("config", "diff.evil.textconv", command)
        put(root, { ".gitattributes": "* diff=evil\n" })
      },
    ],
    [
      "a filter",
      ({ git, root }) => {
        for (const kind of ["clean", "smudge", "process"]) git("config", `filter.evil.${kind}`, command)
        git("config", "filter.evil.required", "true")
        put(root, { ".gitattributes": "* filter=evil\n" })
      },
    ],
    [
      "a filter whose name has an equals sign",
      ({ git, root }) => {
        git("config", "filter.a=b.clean", command)
        put(root, { ".gitattributes": "* filter=a=b\n" })
      },
    ],
    [
      "a filter in an included file and in info/attributes",
      ({ git, root }) => {
        put(root, {
          evil: `[filter "evil"]\n\tclean = "${command}"\n`,
          ".git/info/attributes": "* filter=evil\n",
        })
        git("config", "include.path", "../evil")
      },
    ],
    [
      "hooks",
      ({ git, root }) => {
        git("config", "core.hooksPath", "hooks")
        put(root, { "hooks/post-index-change": `#!/bin/sh\n${command}\n` })
        fs.chmodSync(path.join(root, "hooks/post-index-change"), 0o755)
      },
    ],
  ])("%s", async (_, prepare) => {
    const world = repository()
    prepare(world)
    put(world.root, { "a.txt": "A\n" })
    expect(changedLines((await world.diff({ path: "a.txt" })).text)).toEqual(["-a", "+A"])
    expect(fs.existsSync(proof)).toBe(false)
  })

  test("an embedded bare repository is not taken for one", async () => {
    const { root, git } = repository()
    const bare = path.join(root, "bare")
    git("init", "-q", "--bare", bare)
    fs.appendFileSync(
      path.join(bare, "config"),
      `[core]\n\tfsmonitor = "${command}"\n\tworktree = ..\n\tbare = false\n`,
    )
    await testRun(createFileTools({ root }), bare).call("GitDiff", {})
    expect(fs.existsSync(proof)).toBe(false)
  })
})
