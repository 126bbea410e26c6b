/** An email as one of its recipients gets it. */
export type Message = {
  id: string;
  provider: 'ses' | 'mailgun';
  at: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  variables: Record<string, string>;
};
