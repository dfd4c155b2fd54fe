/* SPDX-License-Identifier: MIT */
double scale = 1;
