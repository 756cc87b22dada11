import fc from "fast-check"
import { expect, test } from "vitest"
import { SharedMap } from "./shared-map.ts"

test("every version of a shared map stays as it was, whichever of them was added to", () => {
  const entry = fc.tuple(fc.constantFrom("a", "b", "__proto__", "constructor"), fc.integer())
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(), fc.array(entry, { maxLength: 3 })), { maxLength: 20 }),
      (steps) => {
        const versions = [{ map: SharedMap.empty<number>(), expected: new Map<string, number>() }]
        for (const [at, entries] of steps) {
          const { map, expected } = versions[at % versions.length]!
          versions.push({ map: map.with(entries), expected: new Map([...expected, ...entries]) })
        }
        for (const { map, expected } of versions)
          for (const key of ["a", "b", "__proto__", "constructor", "c"])
            expect(map.get(key)).toBe(expected.get(key))
        const { map, expected } = versions.at(-1)!
        expect(Object.entries(map.toJSON()).toSorted()).toEqual([...expected].toSorted())
      },
    ),
  )
})
