import { defineStoredValue } from './storage';

/** Whether the gallery's lightbox shows the faces found. */
export const storedFacesShown = defineStoredValue<boolean>({
  key: 'facesShown',
  area: 'localStorage',
  parse: (text) => text === 'true',
  serialize: String,
});

/** Whether the gallery's lightbox shows the details of the photo. */
export const storedDetailsShown = defineStoredValue<boolean>({
  key: 'detailsShown',
  area: 'localStorage',
  parse: (text) => text === 'true',
  serialize: String,
});
