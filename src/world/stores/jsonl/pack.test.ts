import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import fc from "fast-check"
import { afterAll, expect, test } from "vitest"
import { Blobs } from "./blobs.ts"
import { realDisk } from "./disk.ts"
import { seal, unseal } from "./line.ts"
import { pack, readBlobReferences, unpack } from "./pack.ts"

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-pack-"))
const blobs = new Blobs(realDisk, folder)
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

async function roundTrip(value: object): Promise<{ value: unknown; bytes: number }> {
  const { text, contents } = pack(value)
  for (const content of contents) await blobs.write(content)
  const line = seal(text)
  const unsealed = unseal(Buffer.from(line).subarray(0, -1))
  if (unsealed.type === "bad") throw new Error(unsealed.reason)
  const { run, packed, value: inner } = unsealed.value as { run?: string; packed?: unknown; value?: object }
  const bytes = Buffer.byteLength(line)
  if (run !== undefined) return { value: unsealed.value, bytes }
  return { value: unpack(inner as Record<string, unknown>, readBlobReferences(packed)!, blobs), bytes }
}

test("whatever is packed comes back, and no line is long", async () => {
  const long = fc.nat({ max: 60_000 }).map((length) => "é\ud800x\u0000".repeat(length / 4))
  const json = fc.jsonValue({ noUnicodeString: false }) as fc.Arbitrary<unknown>
  const items = fc.dictionary(
    fc.string({ unit: "binary" }),
    fc.oneof(json, long, fc.array(long, { maxLength: 4 })),
  )
  await fc.assert(
    fc.asyncProperty(items, async (extra) => {
      const event = JSON.parse(JSON.stringify({ ...extra, run: "r", seq: 1 }))
      const { value, bytes } = await roundTrip(event)
      expect(value).toEqual(event)
      expect(bytes).toBeLessThan(64 * 1024 + 100)
    }),
    { numRuns: 60 },
  )
})

test("long texts are taken out wherever they stand, and the rest stays in the line", async () => {
  const [one, two] = ["1".repeat(40_000), "2".repeat(40_000)]
  const event = { run: "r", seq: 1, deep: { list: ["short", { text: one, n: 5 }, [two]] }, text: "short" }
  const { text, contents } = pack(event)
  expect(contents).toEqual([one, two])
  const { value, packed } = JSON.parse(text)
  expect(value).toEqual({ ...event, deep: { list: ["short", { text: null, n: 5 }, [null]] } })
  expect(packed.map(([path]: [unknown]) => path)).toEqual([
    ["deep", "list", "1", "text"],
    ["deep", "list", "2", "0"],
  ])
  expect((await roundTrip(event)).value).toEqual(event)
})

test("of an event that is long as a whole, what the store itself reads stays in the line", async () => {
  const short = { run: "r", seq: 1, at: 2, v: 3, type: "t", charge: { tokens: 1 }, agent: "a", key: "k" }
  const many = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, index) => [`key ${index}`, "v".repeat(30)]),
  )
  const [fits, exceeds] = ["x".repeat(1_021), "x".repeat(1_022)]
  const event = { ...short, ...many, outcome: fits, allowance: exceeds }
  const { value, packed } = JSON.parse(pack(event).text)
  expect([value, packed]).toEqual([
    { ...short, outcome: fits },
    [[[], expect.stringMatching(/^[0-9a-f]{64}$/)]],
  ])
  expect((await roundTrip(event)).value).toEqual(event)
})

const hash = "0".repeat(64)
test.each<[unknown, boolean]>([
  [[], true],
  [[[["a", "b"], hash]], true],
  [[[[], hash]], true],
  [undefined, false],
  [{}, false],
  [["a"], false],
  [[["a", hash]], false],
  [[[[7], hash]], false],
  [[[["a"], "0".repeat(63)]], false],
  [[[["a"], 7]], false],
  [[[["a"], hash], 7], false],
])("%j are references: %s", (value, expected) => {
  expect(readBlobReferences(value)).toEqual(expected ? value : undefined)
})

test.each<[readonly string[]]>([[["b"]], [["a", "b", "c"]], [["__proto__", "x"]], [["a", "length"]]])(
  "a reference to %j, which is not there, is damage",
  async (place) => {
    const name = await blobs.write("text")
    expect(() => unpack({ a: { b: "x" } }, [[place, name]], blobs)).toThrow(
      expect.objectContaining({ code: "LOG_DAMAGED" }),
    )
  },
)

test("a string just below and above the limit", async () => {
  for (const length of [32 * 1024 - 1, 32 * 1024, 32 * 1024 + 1]) {
    const event = { run: "r", text: "x".repeat(length) }
    expect((await roundTrip(event)).value).toEqual(event)
    const { text, contents } = pack(event)
    expect([contents.length, text.includes("xx")]).toEqual(length > 32 * 1024 ? [1, false] : [0, true])
  }
})
