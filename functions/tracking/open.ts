import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

const TRANSPARENT_PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** The pixel, whatever the token: a forged one must not be told apart by its answer. */
export async function handler(): Promise<APIGatewayProxyStructuredResultV2> {
  return {
    statusCode: 200,
    headers: { 'content-type': 'image/gif', 'cache-control': 'no-store' },
    body: TRANSPARENT_PIXEL,
    isBase64Encoded: true,
  };
}
