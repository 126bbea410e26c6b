import { Box } from '@chakra-ui/react';
import { useMemo } from 'react';
import { linksIn } from './email-facts.ts';

/** The links of an email with their addresses. */
export function EmailLinks({ html }: { html: string }) {
  const links = useMemo(() => linksIn(html), [html]);
  if (links.length === 0) {
    return (
      <Box pt="3" color="fg.muted">
        This email has no links.
      </Box>
    );
  }
  return (
    <Box as="ul" aria-label="Links" pt="3" fontSize="sm" overflowWrap="anywhere">
      {links.map(({ text, address }) => (
        <Box as="li" key={`${text} ${address}`} py="1.5" borderBottomWidth="1px">
          <Box dir="auto">{text || 'A link without words'}</Box>
          {address ? (
            <Box fontFamily="mono" fontSize="xs" color="fg.muted">
              {address}
            </Box>
          ) : (
            <Box color="fg.warning" fontSize="xs">
              Leads nowhere: without a value, or with an address that is not safe.
            </Box>
          )}
        </Box>
      ))}
    </Box>
  );
}
