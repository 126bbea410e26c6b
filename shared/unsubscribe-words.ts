/** The texts of the unsubscribe link, by language. A list stores the text, not the language. */
export const UNSUBSCRIBE_WORDS = [
  { code: 'en', language: 'English', word: 'Unsubscribe' },
  { code: 'bg', language: 'Bulgarian', word: 'Отписване' },
  { code: 'cs', language: 'Czech', word: 'Odhlásit odběr' },
  { code: 'da', language: 'Danish', word: 'Afmeld' },
  { code: 'nl', language: 'Dutch', word: 'Afmelden' },
  { code: 'et', language: 'Estonian', word: 'Loobu tellimusest' },
  { code: 'fi', language: 'Finnish', word: 'Peruuta tilaus' },
  { code: 'fr', language: 'French', word: 'Se désabonner' },
  { code: 'de', language: 'German', word: 'Abbestellen' },
  { code: 'el', language: 'Greek', word: 'Κατάργηση εγγραφής' },
  { code: 'hu', language: 'Hungarian', word: 'Leiratkozás' },
  { code: 'it', language: 'Italian', word: 'Annulla iscrizione' },
  { code: 'lv', language: 'Latvian', word: 'Atrakstīties' },
  { code: 'lt', language: 'Lithuanian', word: 'Atsisakyti prenumeratos' },
  { code: 'no', language: 'Norwegian', word: 'Meld av' },
  { code: 'pl', language: 'Polish', word: 'Wypisz się' },
  { code: 'pt', language: 'Portuguese', word: 'Cancelar subscrição' },
  { code: 'ro', language: 'Romanian', word: 'Dezabonare' },
  { code: 'sk', language: 'Slovak', word: 'Odhlásiť odber' },
  { code: 'es', language: 'Spanish', word: 'Darse de baja' },
  { code: 'sv', language: 'Swedish', word: 'Avprenumerera' },
] as const;

export type UnsubscribeWord = (typeof UNSUBSCRIBE_WORDS)[number]['word'];

export const languageOf = (word: string) => UNSUBSCRIBE_WORDS.find(one => one.word === word)?.code ?? 'en';

export const unsubscribeWordIn = (language: string) =>
  UNSUBSCRIBE_WORDS.find(({ code }) => code === language)?.word ?? 'Unsubscribe';
