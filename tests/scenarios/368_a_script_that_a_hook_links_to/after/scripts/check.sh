#!/bin/sh
evil
