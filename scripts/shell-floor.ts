/**
 * Shows how useful the judge of shell commands is: how it judges everyday command lines, and how many of the commands in
 * installed packages it does not understand. `tsx scripts/shell-floor.ts` prints both counts; `--record` makes what it
 * finds the floor, below which the tests do not let it fall.
 */
import fs from "node:fs"
import { everydayFloorFile, isUnknownInWords, judgeEveryday } from "./shell-floor/everyday.ts"
import { judgePackageCommands, packageFloorFile } from "./shell-floor/package-commands.ts"

const everyday = await judgeEveryday()
const packages = await judgePackageCommands()
const unknown = Object.values(everyday).filter((accesses) => accesses.some(isUnknownInWords)).length
console.log(JSON.stringify({ everyday: { commands: Object.keys(everyday).length, unknown }, packages }))
if (process.argv.includes("--record")) {
  fs.writeFileSync(everydayFloorFile, `${JSON.stringify(everyday, undefined, 2)}\n`)
  fs.writeFileSync(packageFloorFile, `${JSON.stringify(packages, undefined, 2)}\n`)
}
