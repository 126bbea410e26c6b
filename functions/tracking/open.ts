import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

const TRANSPARENT_PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** The pixel, whatever the token: the answer must not show whether it is forged. */
export async function handler(): Promise<APIGatewayProxyStructuredResultV2> {
  return {
    statusCode: 200,
    headers: { 'content-type': 'image/gif', 'cache-control': 'no-store' },
    body: TRANSPARENT_PIXEL,
    isBase64Encoded: true,
  };
}
