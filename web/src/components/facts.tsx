import { DataList, defineSlotRecipe } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Skeleton } from './skeleton.tsx';

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
      horizontal: {
        root: { gridTemplateColumns: 'minmax(64px, max-content) 1fr' },
        item: { display: 'contents' },
      },
      vertical: {},
    },
  },
  defaultVariants: { orientation: 'horizontal' },
});

type Props = Pick<DataList.RootProps, 'orientation' | 'children'>;

/** A grid of names and values. */
export const Facts = (props: Props) => <DataList.Root recipe={recipe} {...props} />;

/** A name with its value, or with a placeholder while the value is loading. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <DataList.Item>
    <DataList.ItemLabel>{name}</DataList.ItemLabel>
    <DataList.ItemValue>{children ?? <Skeleton />}</DataList.ItemValue>
  </DataList.Item>
);
