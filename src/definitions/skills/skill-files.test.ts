import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { putPipe, temporaryFolder } from "../../../test/file-kit.ts"
import { naming } from "../../../test/naming.ts"
import { readSkillFiles } from "./skill-files.ts"

const skill = "project/skills/style/SKILL.md"

/** The other files of a skill, by their path in its folder; or the problem. */
function beside(files: Readonly<Record<string, string>>, more: (base: string) => void = () => {}) {
  const base = temporaryFolder({
    [skill]: "Be brief.",
    "project/shared.sh": "shared",
    "outside/key": "key",
    ...files,
  })
  more(base)
  const reading = readSkillFiles(path.join(base, skill), path.join(base, "project"))
  if ("problem" in reading) return reading.problem.replaceAll(base, "BASE")
  const folder = path.dirname(path.join(base, skill))
  return reading.files.map(({ path: file, bytes }) => `${path.relative(folder, file)}: ${bytes}`)
}

const link =
  (target: string, name = "link") =>
  (base: string) =>
    fs.symlinkSync(target.replace("BASE", base), path.join(base, "project/skills/style", name))

const unknown = (...why: readonly string[]) => naming("compared", ...why)
const place = "BASE/project/skills/style"

test.each<[string, Readonly<Record<string, string>>, ((base: string) => void) | undefined, unknown]>([
  ["nothing", {}, undefined, []],
  [
    "all others, in the order of their names, but for what is git's",
    {
      "project/skills/style/scripts/run.sh": "run",
      "project/skills/style/SKILL.md.bak": "old",
      "project/skills/style/.hidden": "h",
      "project/skills/style/.git/config": "git's",
      "project/skills/other/x": "x",
    },
    undefined,
    [".hidden: h", "SKILL.md.bak: old", "scripts/run.sh: run"],
  ],
  ["a link to a file of the project as that file", {}, link("../../shared.sh"), ["link: shared"]],
  ["a link to nothing as nothing", {}, link("nowhere"), []],
  ["no link out of the project", {}, link("BASE/outside/key"), unknown(`${place}/link`, "leads out")],
  ["no link to a folder", {}, link(".."), unknown(`${place}/link`, "not a file")],
  [
    "no pipe",
    {},
    (base) => putPipe(path.join(base, "project/skills/style/pipe")),
    unknown(`${place}/pipe is not a regular file`),
  ],
  [
    "no more than a thousand files",
    Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`project/skills/style/${index}`, ""])),
    undefined,
    unknown("there are more than 1000 files"),
  ],
  [
    "no more than 32 MB",
    {},
    (base) => fs.truncateSync(touched(path.join(base, "project/skills/style/large")), 32 * 1024 * 1024 + 1),
    unknown(`the files have more than ${32 * 1024 * 1024} bytes`),
  ],
])("beside a skill is known: %s", (_, files, more, expected) => {
  expect(beside(files, more)).toEqual(expected)
})

function touched(file: string): string {
  fs.writeFileSync(file, "")
  return file
}
