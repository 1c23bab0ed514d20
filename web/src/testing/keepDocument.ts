type Listening = Parameters<typeof window.addEventListener>;

/** What tests give other properties, beside the window. */
const changed = () => [
  document,
  navigator,
  URL,
  ...[
    Storage,
    Element,
    HTMLElement,
    HTMLImageElement,
    HTMLCanvasElement,
    HTMLMediaElement,
    HTMLDialogElement,
  ].map(({ prototype }) => prototype as object),
];

/** Notes how the window and its document are; what it returns makes them so again, for the next file of tests. */
export function keepDocument(): () => void {
  const restores = [
    keepListeners(),
    keepProperties(window, true),
    ...changed().map((each) => keepProperties(each)),
  ];
  return () => {
    for (const restore of restores) restore();
    document.title = '';
    document.head.replaceChildren();
    document.body.replaceChildren();
    for (const element of [document.documentElement, document.body]) {
      for (const name of element.getAttributeNames()) element.removeAttribute(name);
    }
    window.history.replaceState(null, '', '/');
  };
}

/** Of the window's listeners, those that modules of the app added for good would hear of what later files do. */
function keepListeners(): () => void {
  const add = Reflect.get(window, 'addEventListener') as (...listening: Listening) => void;
  const added: Listening[] = [];
  window.addEventListener = (...listening: Listening) => {
    added.push(listening);
    add(...listening);
  };
  return () => {
    window.addEventListener = add;
    for (const listening of added) window.removeEventListener(...listening);
  };
}

/** On the window, libraries and Vitest itself keep things: there, new ones stay. */
function keepProperties(of: object, newOnesStay = false): () => void {
  const before = new Map(Object.entries(Object.getOwnPropertyDescriptors(of)));
  return () => {
    for (const [name, now] of Object.entries(Object.getOwnPropertyDescriptors(of))) {
      const then = before.get(name);
      if (name.startsWith('__') || (then === undefined && newOnesStay)) continue;
      if (then === undefined) Reflect.deleteProperty(of, name);
      else if (then.value !== now.value || then.get !== now.get) Object.defineProperty(of, name, then);
    }
    for (const [name, then] of before) if (!Object.hasOwn(of, name)) Object.defineProperty(of, name, then);
  };
}
