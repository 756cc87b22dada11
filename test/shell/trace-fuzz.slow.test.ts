import { expect, test } from "vitest"
import { shellTraceFuzz } from "../../scripts/shell-trace-fuzz.ts"
import { traceMissing } from "../authority/hostile/trace.ts"
import { sandboxMissing } from "../sandbox/kit.ts"

// Both say why nothing is compared where they are missing.
test.skipIf(traceMissing ?? sandboxMissing)(
  "known programs open, change, start and reach nothing that was not told",
  async () => {
    const { count, known, faults } = await shellTraceFuzz(500, 18)
    expect(faults).toEqual([])
    expect(count).toBe(500)
    expect(known).toBeGreaterThanOrEqual(count / 2)
  },
)
