import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { temporaryFolder, testRun, without } from "../../../test/file-kit.ts"
import { naming } from "../../../test/naming.ts"
import { processorTime } from "../../../test/processor-time.ts"
import { createFileTools } from "./files.ts"

const shellName = "$(id) `id`\n'\".txt"
const outside = temporaryFolder({ "secret.txt": "x" })
const root = temporaryFolder({
  "a.ts": "",
  "b.js": "",
  ".hidden.ts": "",
  "src/c.ts": "",
  "src/deep/d.ts": "",
  "src/deep/e.tsx": "",
  ".gitignore": "node_modules\n",
  "node_modules/x/f.ts": "",
  ".git/g.ts": "",
  "-rf": "",
  [shellName]: "",
  "docs/%2e%2e.md": "",
})
fs.symlinkSync(outside, path.join(root, "link"))
const run = testRun(createFileTools({ root }), root)
const glob = (input: Readonly<Record<string, unknown>>) => run.call("Glob", input)

test.each([
  [{ pattern: "*.ts" }, [".hidden.ts", "a.ts"]],
  [{ pattern: "**/*.ts" }, [".hidden.ts", "a.ts", "src/c.ts", "src/deep/d.ts"]],
  [{ pattern: "./src/**/*.{ts,tsx}" }, ["src/c.ts", "src/deep/d.ts", "src/deep/e.tsx"]],
  [{ pattern: "*.ts", path: "src" }, ["src/c.ts"]],
  [{ pattern: `${root}/src/*.ts` }, ["src/c.ts"]],
  [{ pattern: "node_modules/*/*.ts" }, ["node_modules/x/f.ts"]],
  [{ pattern: "*.ts", path: "node_modules/x" }, ["node_modules/x/f.ts"]],
  [{ pattern: "src/deep/d.ts" }, ["src/deep/d.ts"]],
  [{ pattern: "-r*" }, ["-rf"]],
  [{ pattern: "*id*" }, [JSON.stringify(shellName), ".hidden.ts"]],
  [{ pattern: "docs/%2e*" }, ["docs/%2e%2e.md"]],
  [{ pattern: "link/*" }, "refused"],
  [{ pattern: "*.py" }, naming("No file matches", "**/*.py")],
  [{ pattern: "nowhere/*.py" }, ["No file matches."]],
])("162, 163: %j", async (input, files) => {
  if (files === "refused") {
    // The link is a name, and its target is not searched.
    expect((await glob(input)).text).toBe("No file matches.")
    return
  }
  expect(await glob(input)).toEqual({ text: Array.isArray(files) ? files.join("\n") : files })
})

test.each([
  [{ pattern: "../*" }, /has "\.\." in it/],
  [{ pattern: "/etc/*" }, /must not begin with "\/"/],
  [{ pattern: "*", path: "a.ts" }, /is not a folder/],
  [{ pattern: "*", path: "link" }, /leads out of the workspace/],
  [{ pattern: "*", path: "missing" }, /does not exist/],
  [{ pattern: "!(a)" }, /not supported/],
])("%j is refused", async (input, why) => {
  expect(await glob(input)).toEqual({ text: expect.stringMatching(why), isError: true })
})

test.each(["*(*(*(a|b)))", "*a".repeat(34), `${"**/".repeat(13)}x`, `${"{a,b}".repeat(30)}c`])(
  "109: %.30s on many deep paths takes no time",
  async (pattern) => {
    const folder = temporaryFolder()
    for (let index = 0; index < 20; index++) {
      const deep = path.join(
        folder,
        ...Array.from({ length: 20 }, () => "a".repeat(20)),
        `${"a".repeat(100)}${index}`,
      )
      fs.mkdirSync(path.dirname(deep), { recursive: true })
      fs.writeFileSync(deep, "")
    }
    const before = processorTime()
    expect(
      (await testRun(createFileTools({ root: folder }), folder).call("Glob", { pattern })).isError,
    ).toBeUndefined()
    expect(processorTime() - before).toBeLessThan(5000)
  },
)

test("more files than are shown", async () => {
  const folder = temporaryFolder(
    Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`f${index}`, ""])),
  )
  const { text } = await testRun(createFileTools({ root: folder }), folder).call("Glob", { pattern: "*" })
  expect(text.split("\n")).toHaveLength(501)
  expect(text).toMatch(
    /\[The list is not complete: there are more than 500 files; use a narrower pattern\.\]$/,
  )
})

test("170: what the rules refuse is not listed", async () => {
  const hidden = without("deep")
  const permits: typeof hidden = {
    permits: (access) => hidden.permits(access) && without("d.ts").permits(access),
  }
  expect((await run.call("Glob", { pattern: "**/*.ts" }, permits)).text).toBe(".hidden.ts\na.ts\nsrc/c.ts")
  expect((await run.call("LS", { path: "src" }, permits)).text).toBe("c.ts (0 bytes)")
  expect((await run.call("DirectoryTree", { path: "src" }, permits)).text).toBe("c.ts")
})
