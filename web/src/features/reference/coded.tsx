import { chakra } from '@chakra-ui/react';

/** A name in the API, such as that of a field. */
export const Name = chakra('code', {
  base: { fontFamily: 'mono', fontSize: 'xs', overflowWrap: 'anywhere' },
});

/** Text with code between backticks. */
export const Coded = ({ text }: { text: string }) =>
  text.split('`').map((part, index) => {
    const key = `${index} ${part}`;
    return index % 2 === 1 ? <Name key={key}>{part}</Name> : <span key={key}>{part}</span>;
  });
