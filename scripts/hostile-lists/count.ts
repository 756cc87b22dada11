/** Counts what is decided about the hostile commands, under rules that deny. The last line is JSON. */
import { HostileBench } from "./decide.ts"
import { hostileLists } from "./lines.ts"

const bench = new HostileBench()
const counts: Record<string, Record<string, number>> = {}
for (const list of hostileLists) {
  const count: Record<string, number> = { deny: 0, ask: 0, allow: 0 }
  for (const line of list.causes.flatMap(({ lines }) => lines)) {
    const { denied } = await bench.decide(line, list)
    count[denied] = (count[denied] ?? 0) + 1
    if (denied === "allow") console.log(`passed: ${line}`)
  }
  counts[list.use] = count
}
bench.close()
console.log(JSON.stringify(counts))
