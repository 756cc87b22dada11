import { expect, test } from "vitest"
import { shellFuzz } from "../../scripts/shell-fuzz.ts"
import { sandboxMissing } from "../sandbox/kit.ts"

test.skipIf(sandboxMissing)(
  "164: of commands that are clear to us bash runs nothing, and writes nothing, that was not listed",
  async () => {
    const { faults, clear, calls } = await shellFuzz(1_500, 164)
    expect(faults).toEqual([])
    expect(clear).toBeGreaterThan(300)
    expect(calls).toBeGreaterThan(800)
  },
)
