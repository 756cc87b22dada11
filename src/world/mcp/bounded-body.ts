/**
 * What a server answers, as long as no message in it is longer than so many bytes: of a stream of events each by itself, of
 * anything else all of it. Where one is, it ends there, and somebody is told.
 */
export function boundedBody(
  body: AsyncIterable<Uint8Array> | null,
  type: string,
  most: number,
  exceeded: () => void,
): ReadableStream<Uint8Array> | null {
  if (!body) return null
  const isStream = /^text\/event-stream\b/i.test(type)
  let bytes = 0
  let isLineEmpty = true
  const count = (chunk: Uint8Array): void => {
    if (!isStream) {
      bytes += chunk.length
      return
    }
    for (const byte of chunk) {
      bytes++
      if (byte === carriageReturn) continue
      if (byte !== newLine) isLineEmpty = false
      else if (isLineEmpty) bytes = 0
      else isLineEmpty = true
      if (bytes > most) return
    }
  }
  const chunks = body[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) return controller.close()
      count(value)
      if (bytes <= most) return controller.enqueue(value)
      exceeded()
      await chunks.return?.()
      controller.error(new Error(`a message has more than ${most} bytes`))
    },
    async cancel() {
      await chunks.return?.()
    },
  })
}

const newLine = 10
const carriageReturn = 13
