/** The views of this feature with its messages, for guests of events whose photos may be browsed. */
import type { Messages } from '@lingui/core';
import { addMessages } from '../../platform/i18n/addMessages';
import { loaderOf } from '../../platform/i18n/startLanguage';
import { addResultsMessages } from '../resultsMessages';

const load = loaderOf(import.meta.glob<Messages>('../../../locales/*/browsing.po', { import: 'messages' }));

export async function importAllPhotos() {
  const [{ AllPhotos }] = await Promise.all([import('../FoundPhotos'), addResultsMessages()]);
  return AllPhotos;
}

export async function importBrowseButton() {
  const [imported] = await Promise.all([import('./BrowseButton'), addMessages(load)]);
  return imported;
}
