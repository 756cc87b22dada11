import type { Store } from "../run/store.ts"

type Whole = Required<Store>

/** A store whose code is loaded with its first use. */
export function deferredStore(load: () => Promise<Whole>): Whole {
  let store: Whole | undefined
  let loading: Promise<Whole> | undefined

  function ask<Answer>(work: (store: Whole) => Promise<Answer>): Promise<Answer> {
    if (store) return work(store)
    loading ??= load()
    return loading.then((loaded) => {
      // Not before: whoever asks right after loading must not come before those who waited for it.
      store = loaded
      return work(loaded)
    })
  }

  function open<Item>(items: (store: Whole) => AsyncIterable<Item>): AsyncIterable<Item> {
    if (store) return items(store)
    return {
      async *[Symbol.asyncIterator]() {
        yield* await ask(async (store) => items(store))
      },
    }
  }

  return {
    create: (first) => ask((store) => store.create(first)),
    claim: (run, options) => ask((store) => store.claim(run, options)),
    release: (claim) => ask((store) => store.release(claim)),
    append: (claim, events, options) => ask((store) => store.append(claim, events, options)),
    read: (run, from) => open((store) => store.read(run, from)),
    send: (letter) => ask((store) => store.send(letter)),
    receive: (claim, signal) => open((store) => store.receive(claim, signal)),
    list: (query) => open((store) => store.list(query)),
    follow: (root, from, signal) => open((store) => store.follow(root, from, signal)),
    putBlob: (run, content) => ask((store) => store.putBlob(run, content)),
    getBlob: (run, hash) => ask((store) => store.getBlob(run, hash)),
    hold: (run, key) => ask((store) => store.hold(run, key)),
    holder: (key) => ask((store) => store.holder(key)),
    letGo: (run, key) => ask((store) => store.letGo(run, key)),
    remove: (root) => ask((store) => store.remove(root)),
    close: () => ask((store) => store.close()),
  }
}
