/** A link of a mail about new photos. The token is in the fragment, which no server sees. */
export interface MailedLink {
  action: 'confirm' | 'unsubscribe';
  token: string;
}

/** The mailed link in the address; null without one. */
export function mailedLinkOf({ hash }: Pick<Location, 'hash'>): MailedLink | null {
  const [, action, token] = /^#(confirm|unsubscribe)=([\w-]+)$/.exec(hash) ?? [];
  return token === undefined ? null : { action: action as MailedLink['action'], token };
}
