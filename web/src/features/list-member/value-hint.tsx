import { Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { MetadataValue } from '#shared/metadata.ts';
import { Button } from '#web/components/button.tsx';
import { hintFor, isoReadingsOf } from '#web/entities/list-member/metadata-value.ts';

type Props = {
  value: MetadataValue;
  /** Puts another text into the field and focuses it, as the pressed button disappears. */
  use: (text: string) => void;
  /** Shown if there is no hint. */
  children: ReactNode;
};

/** A hint about a value, below its field, with the dates that may be meant. The value can be saved as it is. */
export function ValueHint({ value, use, children }: Props) {
  const readings = isoReadingsOf(value);
  if (readings.length === 0) return hintFor(value) ?? children;
  return (
    <>
      <span>Text: not read as a date.</span>
      <Flex as="span" wrap="wrap" gap="2" mt="1">
        {readings.map(iso => (
          <Button key={iso} onClick={() => use(iso)}>
            {`Use ${iso}`}
          </Button>
        ))}
      </Flex>
    </>
  );
}
