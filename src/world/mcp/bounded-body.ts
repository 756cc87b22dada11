/**
 * Returns the body of a server's answer, and limits the size of each message in it. In a stream of events each event is
 * a message; any other body is one message. A message that is too long ends the stream with an error, and `exceeded` is
 * called.
 */
export function boundBody(
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
      controller.error(new Error(`a message is larger than the limit of ${most} bytes`))
    },
    async cancel() {
      await chunks.return?.()
    },
  })
}

const newLine = 10
const carriageReturn = 13
