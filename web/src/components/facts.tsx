import { DataList, defineSlotRecipe } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Skeleton } from './skeleton.tsx';

const NAME_AND_VALUE = { gridTemplateColumns: 'minmax(64px, max-content) 1fr' };
const THREE_COLUMNS = { gridTemplateColumns: 'repeat(3, minmax(0, 1fr))' };
const WIDE = '@container (min-width: 480px)';

const recipe = defineSlotRecipe({
  className: 'facts',
  slots: ['root', 'item', 'itemLabel', 'itemValue'],
  base: {
    root: { display: 'grid', columnGap: '6', rowGap: '2', fontSize: 'sm', lineHeight: '20px' },
    itemLabel: { color: 'fg.muted' },
    itemValue: { fontWeight: 'medium', overflowWrap: 'anywhere', minWidth: 0 },
  },
  variants: {
    orientation: {
      horizontal: { root: NAME_AND_VALUE, item: { display: 'contents' } },
      // In a narrow container, as horizontal.
      vertical: {
        root: { ...NAME_AND_VALUE, [WIDE]: { ...THREE_COLUMNS, rowGap: '3' } },
        item: { display: 'contents', [WIDE]: { display: 'block' } },
      },
    },
    size: {
      md: {},
      lg: {
        root: THREE_COLUMNS,
        item: { display: 'block' },
        itemValue: {
          fontSize: 'xl',
          lineHeight: '28px',
          fontWeight: 'semibold',
          fontVariantNumeric: 'tabular-nums',
        },
      },
    },
  },
  defaultVariants: { orientation: 'horizontal', size: 'md' },
});

type Props = Pick<DataList.RootProps, 'orientation' | 'size' | 'children' | 'aria-label'>;

/**
 * A grid of names and values: beside each other, or `vertical` in the three columns of a `containerType="inline-size"`
 * that is wide enough. The size `lg` is for up to three figures, in the same columns.
 */
export const Facts = (props: Props) => <DataList.Root recipe={recipe} {...props} />;

type FactProps = {
  name: string;
  /** The height that is kept while the value is loading, where it is more than a line. */
  minHeight?: string;
  children: ReactNode;
};

/** A name with its value, or with a placeholder while the value is loading. */
export const Fact = ({ name, minHeight, children }: FactProps) => (
  <DataList.Item>
    <DataList.ItemLabel>{name}</DataList.ItemLabel>
    <DataList.ItemValue minHeight={minHeight}>{children ?? <Skeleton />}</DataList.ItemValue>
  </DataList.Item>
);
