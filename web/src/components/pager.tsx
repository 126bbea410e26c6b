import { Flex } from '@chakra-ui/react';
import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from 'lucide-react';
import { useRef } from 'react';
import { formatNumber } from '../lib/format.ts';
import { IconButton } from './button.tsx';

type Props = {
  label: string;
  page: number;
  lastPage: number;
  /** The number of pages is unknown, and only whether there is a next one is known. */
  open?: boolean;
  onPage: (page: number) => void;
};

export function Pager({ label, page, lastPage, open = false, onPage }: Props) {
  const bar = useRef<HTMLDivElement>(null);

  /** After paging, scrolls up: below many rows, the first row of the new page would be out of view. */
  function goTo(other: number) {
    onPage(other);
    const table = bar.current?.closest('.data-table');
    if (table && table.getBoundingClientRect().top < 0) table.scrollIntoView();
  }

  const steps = [
    { name: 'First page', icon: ChevronFirst, to: 1 },
    { name: 'Previous page', icon: ChevronLeft, to: page - 1 },
    { name: 'Next page', icon: ChevronRight, to: page + 1 },
    ...(open ? [] : [{ name: 'Last page', icon: ChevronLast, to: lastPage }]),
  ];
  // Not `disabled`: when the last page is reached, the button would lose the focus.
  const step = ({ name, icon: Icon, to }: (typeof steps)[number]) => {
    const isOff = to < 1 || to > lastPage || to === page;
    return (
      <IconButton
        key={name}
        label={name}
        aria-disabled={isOff}
        _disabled={{ _hover: { bg: 'transparent', color: 'fg.muted' } }}
        onClick={isOff ? undefined : () => goTo(to)}
      >
        <Icon aria-hidden />
      </IconButton>
    );
  };
  return (
    <Flex
      as="nav"
      ref={bar}
      aria-label={`Pages of ${label}`}
      data-uncovered
      align="center"
      gap="1"
      minHeight="10"
      ms="auto"
      px="1"
      textAlign="center"
    >
      {steps.slice(0, 2).map(step)}
      <span aria-live="polite">
        Page {formatNumber(page)}
        {!open && ` of ${formatNumber(lastPage)}`}
      </span>
      {steps.slice(2).map(step)}
    </Flex>
  );
}
