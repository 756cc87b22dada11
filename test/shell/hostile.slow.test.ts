import { afterAll, describe, expect, test } from "vitest"
import { HostileBench } from "../../scripts/hostile-lists/decide.ts"
import { hostileLists } from "../../scripts/hostile-lists/lines.ts"
import { Bench } from "../../scripts/shell-trace-fuzz/bench.ts"
import { traceMissing } from "../authority/hostile/trace.ts"
import { sandboxMissing } from "../sandbox/kit.ts"

const bench = new HostileBench()
afterAll(() => bench.close())

describe.each(hostileLists)("no command $use $target unasked where a rule is about it", (list) => {
  test.each(list.causes)("$cause", async ({ lines }) => {
    const passed: string[] = []
    for (const line of lines)
      for (const [way, decision] of Object.entries(await bench.decide(line, list)))
        if (decision === "allow") passed.push(`${line} (${way})`)
    expect(passed).toEqual([])
  })

  // Some need a machine to talk to, a terminal, or a program that is not installed.
  test.skipIf(traceMissing ?? sandboxMissing)("and most of them really do", async () => {
    const lines = list.causes.flatMap((cause) => cause.lines)
    const tracer = new Bench()
    try {
      const traced = await tracer.run(lines)
      const name = list.target.split(".")[0]!
      const doing = traced.filter(({ deeds, folder }) =>
        deeds.some(
          (deed) =>
            "path" in deed &&
            deed.path.startsWith(`${folder}/${name}`) &&
            (list.use === "reads" || (deed.type !== "read" && deed.type !== "list")),
        ),
      )
      const run = traced.filter(({ deeds }) => deeds.length > 0)
      expect(run.length).toBe(lines.length)
      expect(doing.length).toBeGreaterThan(0.7 * lines.length)
    } finally {
      tracer.close()
    }
  })
})

test("there are at least 150 that read and 120 that write", () => {
  const counts = hostileLists.map(({ causes }) => causes.flatMap(({ lines }) => lines).length)
  expect(counts.map((count, index) => count >= [150, 120][index]!)).toEqual([true, true])
})
