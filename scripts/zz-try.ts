import { shellAccesses } from "../src/shell/shell-accesses.ts"

for (const c of process.argv.slice(2)) {
  console.log(JSON.stringify(c))
  for (const a of await shellAccesses(c, { cwd: "/tmp/w", home: "/home/u" }))
    console.log("   ", JSON.stringify(a))
}
