import { chakra } from '@chakra-ui/react';

const Frame = chakra('div', {
  base: { display: 'grid', placeItems: 'center', minHeight: '40', color: 'fg.subtle', fontSize: 'sm' },
});

const Ring = chakra('span', {
  base: {
    width: '6',
    height: '6',
    borderWidth: '2px',
    borderColor: 'border',
    borderTopColor: 'fg.muted',
    borderRadius: 'full',
    // Keyframes are in styles/app.css. Hidden for 200 ms, so that it does not flash before a fast response.
    animation: 'spin 800ms linear infinite, appear 1ms 200ms both',
  },
});

export function Spinner({ label = 'Loading' }: { label?: string }) {
  return (
    <Frame role="status" aria-label={label}>
      <Ring />
    </Frame>
  );
}
