import path from "node:path"
import { expect, test } from "vitest"
import { testProject } from "../../../test/authority/project-kit.ts"
import { addReadClaims } from "./read-claims.ts"

const agent = (name: string, keys: string) =>
  `---\nname: ${name}\ndescription: It is ${name}.\n${keys}\n---\nDo it.\n`

/** The files that are only read, and the notes about others. */
async function read(files: Readonly<Record<string, string>>) {
  const project = testProject(files)
  const standing = project.standing()
  const { claims, notes } = await addReadClaims(project.workspace(), standing)
  expect(claims.slice(0, standing.claims.length)).toEqual(standing.claims)
  const added = claims.slice(standing.claims.length).map(({ file, hash, ...rest }) => ({
    file: path.relative(project.work, file),
    hash: hash.length,
    ...rest,
  }))
  return { added, notes }
}

const claim = (file: string, text: string | undefined, ...gains: readonly string[]) => ({
  file,
  hash: 64,
  ...(text !== undefined && { text }),
  use: "read",
  gains,
  endpoints: [],
})
const besideStyle = expect.stringMatching(/folder.*skill.*style/)

test("context files of a project's agents are shown, once for each file", async () => {
  expect(
    await read({
      "work/.cadre/agents/a.md": agent("a", "tools: [Read]\ncontext: {files: [docs/*.md]}"),
      "work/.cadre/agents/b.md": agent("b", "tools: [Read]\ncontext: {files: [docs/one.md]}"),
      "work/.cadre/agents/c.md": agent("c", "tools: [Read]"),
      "home/.config/cadre/agents/d.md": agent("d", "tools: [Read]\ncontext: {files: [private.md]}"),
      "work/docs/one.md": "One.",
      "work/docs/two.md": "Two.",
      "work/private.md": "Private.",
    }),
  ).toEqual({
    added: [
      claim(
        "docs/one.md",
        "One.",
        expect.stringMatching(/model of a.?$/),
        expect.stringMatching(/model of b.?$/),
      ),
      claim("docs/two.md", "Two.", expect.stringMatching(/model of a.?$/)),
    ],
    notes: [],
  })
})

test("a context file that cannot be sent is noted, and the others are shown", async () => {
  const { added, notes } = await read({
    "work/.cadre/agents/a.md": agent("a", "tools: [Read]\ncontext: {files: [gone.md]}"),
    "work/.cadre/agents/b.md": agent("b", "tools: [Read]\ncontext: {files: [one.md]}"),
    "work/one.md": "One.",
  })
  expect(added).toEqual([claim("one.md", "One.", expect.stringMatching(/model of b.?$/))])
  expect(notes).toEqual([expect.stringContaining("gone.md")])
})

test("other files of a project's skills are shown, with their text if it can be read", async () => {
  const long = "x".repeat(256 * 1024)
  expect(
    await read({
      "work/.claude/skills/style/SKILL.md": "Be brief.\n",
      "work/.claude/skills/style/binary": "a\0b",
      "work/.claude/skills/style/fits.txt": long,
      "work/.claude/skills/style/long.txt": `${long}x`,
      "work/.claude/skills/style/run.sh": "echo 0\n",
      "home/.claude/skills/mine/SKILL.md": "Mine.\n",
      "home/.claude/skills/mine/run.sh": "mine\n",
    }),
  ).toEqual({
    added: [
      claim(".claude/skills/style/binary", undefined, besideStyle),
      claim(".claude/skills/style/fits.txt", long, besideStyle),
      claim(".claude/skills/style/long.txt", undefined, besideStyle),
      claim(".claude/skills/style/run.sh", "echo 0\n", besideStyle),
    ],
    notes: [],
  })
})
