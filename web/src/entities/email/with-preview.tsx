import { Box, chakra } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import { PreviewPlace } from './preview-place.ts';

const Columns = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'minmax(0, 1fr)', xl: 'minmax(0, 1fr) minmax(0, 600px)' },
    columnGap: '8',
    rowGap: '6',
    alignItems: 'start',
  },
});

/** A form with room for its `PreviewPane` beside it. On narrow pages, the pane is part of the form. */
export function WithPreview({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  return (
    <PreviewPlace value={place}>
      <Columns>
        <Box minWidth="0">{children}</Box>
        <Box
          ref={setPlace}
          as="aside"
          aria-label="Preview"
          display={{ base: 'none', xl: 'block' }}
          minWidth="0"
          position={{ xl: 'sticky' }}
          top="4"
        />
      </Columns>
    </PreviewPlace>
  );
}
