/**
 * An event's generated picture, which the server draws from the slug alone. Fills its box. `eager` is for what the
 * screen opens with; elsewhere it is fetched when it comes into view.
 */
export function Sky({ slug, eager = false }: { slug: string; eager?: boolean }) {
  return (
    <img
      src={`/covers/${encodeURIComponent(slug)}.svg`}
      alt=""
      loading={eager ? 'eager' : 'lazy'}
      decoding="async"
      draggable={false}
      // Without a minimum, a grid track does not grow to the picture's own aspect ratio.
      style={{ display: 'block', width: '100%', height: '100%', minHeight: 0, objectFit: 'cover' }}
    />
  );
}
