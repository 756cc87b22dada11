/** Guards `.git` of a folder as a command in the sandbox would, until its input ends. */
import fs from "node:fs"
import path from "node:path"
import { guardMissing } from "../../src/sandbox/guards.ts"

const root = process.argv[2]!
const free = guardMissing(root, [".git"])
fs.mkdirSync(path.join(root, ".git"), { recursive: true })
process.stdout.write("held\n")
process.stdin.resume().on("end", () => {
  free()
  process.exit()
})
