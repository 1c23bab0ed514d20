import { vi } from 'vitest';

const bytes = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer;

/** Gives the page a browser's passkeys, whose answers are texts; without answers whoever is asked declines. */
export function mockPasskeys({ declines = false }: { declines?: boolean } = {}) {
  const decline = () => Promise.reject(new DOMException('declined', 'NotAllowedError'));
  const create = vi.fn<(options: CredentialCreationOptions) => Promise<unknown>>(() =>
    declines
      ? decline()
      : Promise.resolve({ response: { clientDataJSON: bytes('made'), attestationObject: bytes('key') } }),
  );
  const get = vi.fn<(options: CredentialRequestOptions) => Promise<unknown>>(() =>
    declines
      ? decline()
      : Promise.resolve({
          rawId: bytes('id'),
          response: {
            clientDataJSON: bytes('used'),
            authenticatorData: bytes('data'),
            signature: bytes('sign'),
            userHandle: null,
          },
        }),
  );
  vi.stubGlobal('PublicKeyCredential', vi.fn());
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create, get } });
  return { create, get };
}

/** What `get` answers, as it is sent: the texts in base64url. */
export const sentAnswer = {
  id: 'aWQ',
  client_data_json: 'dXNlZA',
  authenticator_data: 'ZGF0YQ',
  signature: 'c2lnbg',
  user_handle: '',
};
