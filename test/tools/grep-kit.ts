import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { createGrepTool } from "../../src/world/tools/grep.ts"
import { openToolWorkspace } from "../../src/world/tools/workspace.ts"
import { temporaryFolder, testRun, without } from "../file-kit.ts"

const outside = temporaryFolder({ "secret.txt": "needle outside" })
const shellName = "$(id) `id`\n'\".txt"
const files = {
  "a.txt": "one needle\ntwo\nthree\nfour needle\nfive\nsix\n",
  "src/b.ts": "const Needle = 1\r\n// needle\r\n",
  "src/deep/c.ts": "nothing\n",
  ".hidden/d.txt": "needle\n",
  ".gitignore": "ignored/\n*.log\n!keep.log\n/top.txt\n",
  "ignored/e.txt": "needle\n",
  "x.log": "needle\n",
  "keep.log": "needle\n",
  "top.txt": "needle\n",
  "src/top.txt": "needle\n",
  "src/.gitignore": "generated.ts\n",
  "src/generated.ts": "needle\n",
  ".git/config": "needle\n",
  "binary.bin": Buffer.from("needle\u0000\u0001\u0002"),
  "-rf": "needle\n",
  [shellName]: "needle\n",
  "long.txt": `needle ${"x".repeat(5000)}\n`,
  "invalid.txt": Buffer.from([0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65, 0xff, 0x0a]),
}
const root = temporaryFolder(files)
fs.symlinkSync(outside, path.join(root, "link"))
fs.symlinkSync(path.join(outside, "secret.txt"), path.join(root, "link.txt"))

/** What Grep does, with a program that searches for it or, where that is empty, without. */
export function testGrep(name: string, searcher: string | undefined): void {
  describe.each([[name, searcher]])("with %s", (_, program) => {
    const search = (input: object, context: object = {}) =>
      testRun([createGrepTool(openToolWorkspace({ root }), program)], root).call(
        "Grep",
        { ...input },
        context,
      )
    const lines = async (input: object) => (await search(input)).text.split("\n").sort()
    const it = program === undefined ? test.skip : test

    it("163: the files, hidden ones as well; not what is ignored, binary or behind a link", async () => {
      expect(await lines({ pattern: "needle" })).toEqual(
        [
          "-rf",
          ".hidden/d.txt",
          "a.txt",
          "invalid.txt",
          "keep.log",
          "long.txt",
          "src/b.ts",
          "src/top.txt",
          JSON.stringify(shellName),
        ].sort(),
      )
    })

    it.each([
      [
        { pattern: "needle", path: "a.txt", output_mode: "content" },
        "a.txt:1:one needle\na.txt:4:four needle",
      ],
      [
        { pattern: "needle", glob: "a.*", output_mode: "content", "-n": false },
        "a.txt:one needle\na.txt:four needle",
      ],
      [
        { pattern: "four", glob: "a.txt", output_mode: "content", "-C": 1 },
        "a.txt-3-three\na.txt:4:four needle\na.txt-5-five",
      ],
      [
        { pattern: "needle", glob: "a.txt", output_mode: "content", "-A": 1 },
        "a.txt:1:one needle\na.txt-2-two\n--\na.txt:4:four needle\na.txt-5-five",
      ],
      [
        { pattern: "four", glob: "a.txt", output_mode: "content", "-B": 1 },
        "a.txt-3-three\na.txt:4:four needle",
      ],
      [{ pattern: "needle", path: "src", output_mode: "count", "-i": true, glob: "*.ts" }, "src/b.ts:2"],
      [{ pattern: "needle", glob: "**/*.{ts,tsx}", output_mode: "content" }, "src/b.ts:2:// needle"],
      [{ pattern: "^const.*1$", output_mode: "content", path: "src/b.ts" }, "src/b.ts:1:const Needle = 1"],
      [
        { pattern: "two.three", output_mode: "content", multiline: true, path: "a.txt" },
        "a.txt:2:two\na.txt:3:three",
      ],
      [
        { pattern: "two.three", output_mode: "content", multiline: true, glob: "a.txt" },
        "a.txt:2:two\na.txt:3:three",
      ],
      [{ pattern: "two.three", glob: "a.txt" }, "Nothing matches."],
      [{ pattern: "needle", path: "ignored" }, "ignored/e.txt"],
      [{ pattern: "needle", path: "ignored/e.txt" }, "ignored/e.txt"],
      [{ pattern: "(?i)NEEDLE = 1", glob: "*.ts" }, "src/b.ts"],
      [{ pattern: "needle", path: "-rf", output_mode: "content" }, "-rf:1:needle"],
      [{ pattern: "--files", glob: "*.txt" }, "Nothing matches."],
      [{ pattern: "needle", glob: "--pre=touch x" }, "Nothing matches."],
      [
        { pattern: "needle", glob: "a.txt", output_mode: "content", head_limit: 1 },
        expect.stringMatching(/^a\.txt:1:one needle.*1.*Narrow.*raise/s),
      ],
    ])("162: %j", async (input, text) => {
      expect(await search(input)).toEqual({ text })
    })

    it("82: a long line is cut, and what is no text is replaced", async () => {
      expect((await search({ pattern: "needle", glob: "long.txt", output_mode: "content" })).text).toBe(
        `long.txt:1:needle ${"x".repeat(493)} […line cut]`,
      )
      expect((await search({ pattern: "needle", glob: "invalid.txt", output_mode: "content" })).text).toBe(
        "invalid.txt:1:needle\ufffd",
      )
    })

    it.each([
      [{ pattern: "(" }, /regular expression|regex/],
      [{ pattern: "needle", path: "missing" }, /does not exist/],
      [{ pattern: "needle", path: "link" }, /leads out of the workspace/],
      [{ pattern: "needle", path: "../" }, /leads out of the workspace/],
      [{ pattern: "needle", path: "link.txt" }, /leads out of the workspace/],
    ])("%j is refused", async (input, why) => {
      expect(await search(input)).toEqual({ text: expect.stringMatching(why), isError: true })
    })

    it("170: what the rules refuse is not shown", async () => {
      for (const output_mode of ["files", "content", "count"])
        expect((await search({ pattern: "needle", output_mode }, without(".txt"))).text).not.toContain(".txt")
    })

    it("108: a pattern that goes back for ever does not hold up the process", async () => {
      const folder = temporaryFolder({ "a.txt": `${"a".repeat(40)}!\n` })
      const tool = createGrepTool(openToolWorkspace({ root: folder }), program)
      let turns = 0
      const timer = setInterval(() => turns++, 5)
      const { text } = await testRun([tool], folder).call("Grep", { pattern: "(a+)+$" })
      clearInterval(timer)
      expect(text).toMatch(program === "" ? /^Nothing matches.*repetitions\.\]/s : "Nothing matches.")
      // Held up, it has one turn at most.
      if (program === "") expect(turns).toBeGreaterThan(3)
    })

    it("a call that is stopped ends at once", async () => {
      const folder = temporaryFolder({ "a.txt": `${"a".repeat(40)}!\n`, "b.txt": `${"a".repeat(40)}!\n` })
      const tool = createGrepTool(openToolWorkspace({ root: folder }), program)
      const stopped = testRun([tool], folder)
        .call("Grep", { pattern: "(a+)+$" }, { signal: AbortSignal.timeout(100) })
        .catch((error: Error) => error.name)
      expect(["TimeoutError", { text: "Nothing matches." }]).toContainEqual(await stopped)
    })
  })
}
