import { Preformatted } from '#web/components/preformatted.tsx';

/** The plain text version of an email. */
export const PlainText = ({ children }: { children: string }) => (
  <Preformatted
    label="Plain text"
    mt="3"
    p="4"
    maxHeight="min(640px, 55vh)"
    whiteSpace="pre-wrap"
    overflowWrap="anywhere"
    dir="auto"
  >
    {children}
  </Preformatted>
);
