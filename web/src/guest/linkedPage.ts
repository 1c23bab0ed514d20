/** A page that the document of guests shows in the place of an event's. */
export interface LinkedPage {
  action: MailedLink['action'] | 'selection';
  token: string;
}

/** A link of a mail about new photos. The token is in the fragment, which no server sees. */
export interface MailedLink {
  action: 'confirm' | 'unsubscribe';
  token: string;
}

/** The page that the address names in the place of an event's: of a mailed link, or of a client's selection. */
export function linkedPageOf({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): LinkedPage | null {
  const [, mailed, selection, token] =
    /(?:#(confirm|unsubscribe)=|^\/(selection)\/)([\w-]+)\/?$/.exec(pathname + hash) ?? [];
  return token === undefined ? null : { action: (mailed ?? selection) as LinkedPage['action'], token };
}
