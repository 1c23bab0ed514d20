// A whole login by single sign-on, for the test of the binary: runs the certified provider `oidc-provider` at a port, and is the
// browser that comes from SERVER, logs in there, and goes back. Prints what the server's session is, or the page that refuses.
//
//   node tools/single-sign-on.mjs PORT SERVER
import { Provider } from 'oidc-provider';

const [port, server] = process.argv.slice(2);
const issuer = `http://localhost:${port}`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'afterglow',
      client_secret: 'a secret of 32 bytes or a few more',
      redirect_uris: [`${server}/api/auth/oidc/callback`],
    },
  ],
  pkce: { required: () => true },
  cookies: { keys: ['for a test'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({ sub: id, name: 'Meera Krishnan', email: id, email_verified: true }),
  }),
});

const jar = new Map();

async function visit(url, form) {
  const { host } = new URL(url);
  const cookies = jar.get(host) ?? new Map();
  jar.set(host, cookies);
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
  for (const cookie of response.headers.getSetCookie()) {
    const [pair] = cookie.split(';');
    const end = pair.indexOf('=');
    cookies.set(pair.slice(0, end), pair.slice(end + 1));
  }
  return response;
}

/** Follows redirects, and fills in the provider's two forms, until a page of the server comes. */
async function browse(address) {
  let url = address;
  let form;
  for (let steps = 0; steps < 20; steps += 1) {
    const response = await visit(url, form);
    form = undefined;
    const location = response.headers.get('Location');
    if (location !== null) {
      url = new URL(location, url).href;
      if (url.startsWith(`${server}/login`)) return new URL(url);
      continue;
    }
    const page = await response.text();
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1];
    if (action === undefined || prompt === undefined)
      throw new Error(`${response.status} ${url}: ${page.slice(0, 500)}`);
    url = new URL(action, url).href;
    form = prompt === 'login' ? { prompt, login: 'meera@example.com', password: 'any' } : { prompt };
  }
  throw new Error(`too many steps, at ${url}`);
}

const listening = provider.listen(port, async () => {
  try {
    const page = await browse(`${server}/api/auth/oidc/start?next=/admin/events`);
    const ticket = new URLSearchParams(page.hash.slice(1)).get('ticket');
    if (ticket === null) throw new Error(`refused: ${page.href}`);
    const cookies = jar.get(new URL(server).host);
    const response = await fetch(`${server}/api/auth/oidc/login`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
      },
      body: JSON.stringify({ ticket }),
    });
    console.log(await response.text());
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    listening.close();
    listening.closeAllConnections();
  }
});
