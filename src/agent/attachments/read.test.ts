import { expect, test } from "vitest"
import { pdf, png } from "../../../test/attachment-kit.ts"
import { naming } from "../../../test/naming.ts"
import type { Attachment } from "../../ground/message.ts"
import { readAttachment } from "./read.ts"
import { loadSharp, type Sharp } from "./scale.ts"

const from = (hex: string, length = 0): Buffer =>
  Buffer.concat([Buffer.from(hex.replaceAll(" ", ""), "hex"), Buffer.alloc(length)])

const jpeg = from(
  "ffd8 ffe0 0004 0000 ffc4 0004 0000 ffff c0 000b 08 0014 001e 01 000000 ffda 0002 00 ffd9",
  20,
)
const gif = from("474946383961 1e00 1400 000000 2c 00000000 1e00 1400 00 02 00 3b", 20)
const webp = (kind: string, rest: string): Buffer => {
  const body = Buffer.concat([Buffer.from(`WEBP${kind}`), from(rest, 20)])
  const head = Buffer.alloc(8)
  head.write("RIFF")
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

const sized = { width: 30, height: 20 }

test.each<[string, Buffer, Partial<Attachment>]>([
  ["a PNG", png(30, 20), { mediaType: "image/png", ...sized }],
  ["a JPEG with tables before its frame", jpeg, { mediaType: "image/jpeg", ...sized }],
  ["a GIF", gif, { mediaType: "image/gif", ...sized }],
  ["a lossy WebP", webp("VP8 ", "00000000 000000 9d012a 1e00 1400"), { mediaType: "image/webp", ...sized }],
  ["a lossless WebP", webp("VP8L", "00000000 2f 1dc00400"), { mediaType: "image/webp", ...sized }],
  [
    "an extended WebP",
    webp("VP8X", "00000000 00000000 1d0000 130000"),
    { mediaType: "image/webp", ...sized },
  ],
  ["a PDF", pdf(3), { mediaType: "application/pdf", pages: 3 }],
  ["a PDF of compressed pages", Buffer.from("%PDF-1.5\n%%EOF"), { mediaType: "application/pdf" }],
])("%s is known by its bytes, whatever it is called", async (_, bytes, attachment) => {
  expect(await readAttachment(bytes, "notes.txt")).toEqual({
    type: "read",
    attachment: { ...attachment, size: bytes.length, name: "notes.txt" },
    bytes,
  })
})

const notInstalled = async () => undefined

test.each([
  ["text", Buffer.from("hello"), { type: "unknown" }],
  ["nothing", Buffer.alloc(0), { type: "unknown" }],
  [
    "a PNG that is cut off",
    png(30, 20).subarray(0, -8),
    { type: "broken", problem: expect.stringMatching(/^x.*complete.*PNG picture.*damaged/) },
  ],
  [
    "a JPEG without a frame",
    from("ffd8ffd9"),
    { type: "broken", problem: expect.stringMatching(/^x.*complete.*JPEG picture.*damaged/) },
  ],
  [
    "a GIF of no height",
    from("474946383961 1e00 0000"),
    { type: "broken", problem: expect.stringMatching(/^x.*complete.*GIF picture.*damaged/) },
  ],
  ["a PDF that is cut off", Buffer.from("%PDF-1.4\n"), { type: "broken", problem: "x is cut off." }],
  [
    "a PDF with a password",
    Buffer.from("%PDF-1.4\ntrailer <</Encrypt 5 0 R>>\n%%EOF"),
    { type: "broken", problem: "x is protected by a password." },
  ],
  [
    "a picture of too many bytes",
    png(4, 4, 9_100_000),
    {
      type: "too-large",
      note: expect.stringMatching(/^x.*9\.1 MB, at most 3\.75 MB.*sharp/),
    },
  ],
  [
    "a picture that is too wide",
    png(8001, 200),
    {
      type: "too-large",
      note: expect.stringMatching(/^x.*8001 × 200 pixels, at most 8000 on a side.*sharp/),
    },
  ],
  [
    "a PDF of too many pages",
    pdf(101),
    {
      type: "too-large",
      note: expect.stringMatching(/^x.*101 pages, at most 100.*fewer/),
    },
  ],
  [
    "a PDF of too many bytes",
    pdf(1, 16_000_000),
    { type: "too-large", note: expect.stringMatching(/^x.*16 MB, at most 15 MB.*fewer/) },
  ],
])("%s is told as that", async (_, bytes, read) => {
  expect(await readAttachment(bytes, "x", notInstalled)).toEqual(read)
})

/** A substitute for sharp: it returns this, and records its calls. */
function standIn(result: Buffer) {
  const asked: unknown[] = []
  const picture = {
    rotate: () => picture,
    resize: (options: object) => {
      asked.push(options)
      return picture
    },
    toFormat: (format: string) => {
      asked.push(format)
      return picture
    },
    toBuffer: async () => result,
  }
  const sharp: Sharp = () => picture
  return { load: async () => sharp, asked }
}

test("a picture that is too large is scaled down where sharp can be loaded", async () => {
  const small = png(1568, 39)
  const { load, asked } = standIn(small)
  expect(await readAttachment(png(8001, 200), "x", load)).toEqual({
    type: "read",
    attachment: { mediaType: "image/png", size: small.length, width: 1568, height: 39, name: "x" },
    bytes: small,
    note: "x was scaled down from 8001 × 200 to 1568 × 39 pixels.",
  })
  expect(asked).toEqual([{ width: 1568, height: 1568, fit: "inside", withoutEnlargement: true }, "png"])
})

test.each([
  ["that stays too large", standIn(png(9000, 9000)).load, expect.stringContaining("small")],
  ["that sharp cannot read", () => Promise.reject(new Error("bad seam")), "Scaling it down failed: bad seam"],
])("a picture %s is left out", async (_, load, why) => {
  expect(await readAttachment(png(8001, 200), "x", load)).toEqual({
    type: "too-large",
    note: naming("x", "large", "shown", "8001 × 200 pixels, at most 8000 on a side. ", why),
  })
})

const sharp = await loadSharp()
test.skipIf(!sharp)("sharp itself scales a picture down (SKIPPED where sharp is not installed)", async () => {
  const read = await readAttachment(png(4000, 200, 4_000_000), "x")
  expect(read).toMatchObject({
    type: "read",
    attachment: { mediaType: "image/png", width: 1568, height: 78 },
    note: "x was scaled down from 4000 × 200 to 1568 × 78 pixels.",
  })
})
test.skipIf(!sharp)("a photograph that stays too large without losses is sent with some", async () => {
  const [side, pixels] = [1200, Buffer.alloc(1200 * 1200 * 3)]
  let seed = 1
  for (let at = 0; at < pixels.length; at++) {
    seed = (seed * 48_271) % 2_147_483_647
    pixels[at] = seed & 255
  }
  const raw = { raw: { width: side, height: side, channels: 3 } }
  const make = sharp as unknown as (bytes: Buffer, options: object) => ReturnType<Sharp>
  const photograph = await make(pixels, raw).toFormat("png").toBuffer()
  expect(await readAttachment(photograph, "x")).toMatchObject({
    type: "read",
    attachment: { mediaType: "image/webp", width: side, height: side },
    note: expect.stringMatching(/^x was compressed from [\d.]+ MB to [\d.]+ MB\.$/),
  })
})
if (!sharp) console.warn("SKIPPED: sharp is not installed, so scaling down was tested with a stand-in only.")

test("a PDF full of page lists is read in no time", async () => {
  const text = `%PDF-1.4\n<< ${"/Type/Pages ".repeat(200_000)}\n%%EOF`
  const begun = process.cpuUsage()
  await readAttachment(Buffer.from(text), "x.pdf")
  expect(process.cpuUsage(begun).user).toBeLessThan(4_000_000)
})
