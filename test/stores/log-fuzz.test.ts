import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, expect, test } from "vitest"
import { fuzzLog, logNames } from "../../scripts/log-fuzz/fuzz.ts"

const base = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-log-fuzz-"))
afterAll(() => fs.rmSync(base, { recursive: true, force: true }))

// All of them: `npm run log-fuzz`.
test.each(logNames)(
  "%s: every 101st change of a log, a bit or a cut, is mended, readable or refused, and nothing opaque happens twice",
  async (name) => {
    const { faults, ...counts } = await fuzzLog(name, path.join(base, name), 101)
    expect({ faults, anyRestored: counts.restored > 100, anyLost: counts.lossy > 5 }).toEqual({
      faults: [],
      anyRestored: true,
      anyLost: true,
    })
  },
)
