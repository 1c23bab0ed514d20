import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { FoundStep } from './FoundStep';

test('the photos are asked for where the page came from, whatever host the server names [FACE198]', () => {
  const photo = {
    photo_id: 'photo-1',
    filename: 'DSC_1.JPG',
    s3_key: 'originals/1',
    url: 'https://events.example/api/files/previews/1?token=t',
    width: 4,
    height: 3,
    size_bytes: 1,
    thumbnail_url: 'https://events.example/api/files/thumbnails/1?token=t',
  };
  render(
    <FoundStep
      preview={{
        photos: [photo],
        overruled: 0,
        faces: [],
        indexing: { indexed: 1, waiting: 0, failed: 0, total: 1 },
        token: 'sealed',
        live: true,
      }}
      selfie={{ image: new Blob(), preview: null }}
      face={0}
      failure={null}
      sending={false}
      onFace={vi.fn()}
      onAsk={vi.fn()}
      onNewSelfie={vi.fn()}
    />,
  );
  const image = screen.getByRole('img', { name: 'DSC_1.JPG' });
  expect(image).toHaveAttribute('src', '/api/files/thumbnails/1?token=t');
});
