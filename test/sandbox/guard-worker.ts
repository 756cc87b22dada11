/** Guards `.git` of a folder as a command in the sandbox would, until its input ends. */
import { makeStandIns } from "../../src/world/sandbox/stand-ins.ts"

const { free } = await makeStandIns({ root: process.argv[2]!, writable: [], names: [".git"] })
process.stdout.write("held\n")
process.stdin.resume().on("end", async () => {
  await free()
  process.exit()
})
