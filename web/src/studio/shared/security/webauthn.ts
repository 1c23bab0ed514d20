import type { components } from '../../../platform/api/schema.gen';
import { siteName } from '../../../platform/siteName';

type Question = components['schemas']['PasskeyQuestion'];
type NewQuestion = components['schemas']['NewPasskeyQuestion'];

/** For how long a question is good on the server. */
const timeout = 5 * 60 * 1000;
/** ES256 and RS256: what the server verifies, in the order of its liking (COSE algorithms). */
const algorithms = [-7, -257];

/** Whether this browser gives pages passkeys, which it does over https and on the machine itself. */
export const canUsePasskeys = (): boolean =>
  typeof window.PublicKeyCredential === 'function' && 'credentials' in navigator;

const encode = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const decode = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));

const named = (ids: readonly string[]): PublicKeyCredentialDescriptor[] =>
  ids.map((id) => ({ type: 'public-key', id: decode(id) }));

/** Lets the person make a passkey; rejects when they do not, or cannot. */
export async function createPasskey(
  question: NewQuestion,
): Promise<{ client_data_json: string; attestation_object: string }> {
  const made = (await navigator.credentials.create({
    publicKey: {
      challenge: decode(question.challenge),
      rp: { id: question.rp_id, name: siteName },
      user: {
        id: decode(question.user_handle),
        name: question.user_name,
        displayName: question.user_name,
      },
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: named(question.excluded),
      // Beside a password the device is what counts, so that a key without a PIN is enough.
      authenticatorSelection: { userVerification: 'preferred', residentKey: 'preferred' },
      attestation: 'none',
      timeout,
    },
  })) as PublicKeyCredential | null;
  if (made === null) throw new Error('no passkey was made');
  const { clientDataJSON, attestationObject } = made.response as AuthenticatorAttestationResponse;
  return { client_data_json: encode(clientDataJSON), attestation_object: encode(attestationObject) };
}

/** Lets the person use a passkey; rejects when they do not, or cannot. */
export async function askPasskey(question: Question): Promise<components['schemas']['PasskeyAnswer']> {
  const used = (await navigator.credentials.get({
    publicKey: {
      challenge: decode(question.challenge),
      rpId: question.rp_id,
      allowCredentials: named(question.credentials),
      userVerification: 'preferred',
      timeout,
    },
  })) as PublicKeyCredential | null;
  if (used === null) throw new Error('no passkey was used');
  const response = used.response as AuthenticatorAssertionResponse;
  return {
    id: encode(used.rawId),
    client_data_json: encode(response.clientDataJSON),
    authenticator_data: encode(response.authenticatorData),
    signature: encode(response.signature),
    user_handle: response.userHandle === null ? '' : encode(response.userHandle),
  };
}
