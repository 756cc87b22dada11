/** A short round of `npm run script-fuzz`. */
import { expect, test } from "vitest"
import { fuzzScripts } from "../../scripts/script-fuzz/fuzz.ts"
import { temporaryFolder } from "../file-kit.ts"

test.each(["python", "javascript"] as const)(
  "hostile scripts in %s end, and nothing gets out",
  async (language) => {
    const { ends, faults } = await fuzzScripts(language, {
      folder: temporaryFolder(),
      rounds: 25,
      seed: 7,
    })
    expect(faults).toEqual([])
    expect(Object.keys(ends)).toEqual(expect.arrayContaining(["LIMIT"]))
  },
  240_000,
)
