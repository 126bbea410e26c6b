import type { Item } from '#core/storage/table.store.ts';
import { marshalledItem } from './values.ts';

/** An error as the SDK throws it. */
const named = (name: string, message: string, fields: object = {}) =>
  Object.assign(new Error(message), { name, ...fields });

export const invalid = (message: string) => named('ValidationException', message);

const FAILED = 'The conditional request failed';

export const conditionFailed = (stored: Item | undefined) =>
  named('ConditionalCheckFailedException', FAILED, stored && { Item: marshalledItem(stored) });

/** Why a write of a transaction failed; code `None` if it did not. */
export type Reason = { Code: string; Message?: string; Item?: object };

export const conditionReason = (stored: Item | undefined): Reason => ({
  Code: 'ConditionalCheckFailed',
  ...(stored && { Item: marshalledItem(stored) }),
  Message: FAILED,
});

/** The reason of an update in a transaction that makes its item too large. */
export const TOO_LARGE: Reason = {
  Code: 'ValidationError',
  Message: 'Item size to update has exceeded the maximum allowed size',
};

/** Why a statement inserted nothing. */
export const DUPLICATE = { Code: 'DuplicateItem', Message: 'Duplicate primary key exists in table' };

export const cancelled = (reasons: Reason[]) =>
  named(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`,
    { CancellationReasons: reasons },
  );

export const throttled = () =>
  named(
    'ProvisionedThroughputExceededException',
    'The level of configured provisioned throughput was exceeded',
  );

export const conflict = () => named('TransactionConflictException', 'Transaction is ongoing for the item');
